import { randomBytes } from 'node:crypto';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { DEMO_MEMBERS } from '../../infra/local/demo-members.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { setting } from '../../shared/core/config.ts';
import { personKey, personLimiterKey, sessionKey } from '../../shared/core/keys.ts';
import type { Person, Session } from '../../shared/members/rows.ts';
import { readSessionCookie, sessionHash } from '../../shared/members/session.ts';
import {
  beginSignIn,
  type ConsoleClient,
  consoleUrl,
  createAccount,
  database,
  SESSION_COOKIE,
  service,
  sessionOf,
  signedOut,
  signIn,
} from '../support/console.ts';

/** Sign-in and sessions over HTTP: the deployed functions with their own permissions, and the identity provider. */

const newAddress = () => `${randomBytes(6).toString('hex')}@example.com`;
const cookieOf = (client: ConsoleClient) => readSessionCookie(client.cookies.get(SESSION_COOKIE) ?? '');

async function rowOf<T>(Key: { pk: string; sk: string }): Promise<T | undefined> {
  const request = { TableName: setting('CONSOLE_TABLE'), Key, ConsistentRead: true };
  const { Item } = await database.send(new GetCommand(request));
  return Item as T | undefined;
}

const sessionRow = (client: ConsoleClient) =>
  rowOf<Session>(sessionKey(sessionHash(cookieOf(client)?.secret ?? '')));

async function age(
  client: ConsoleClient,
  attributes: readonly (keyof Session)[],
  byMs: number,
): Promise<void> {
  const row = await sessionRow(client);
  if (!row) throw new Error('There is no session.');
  for (const name of attributes)
    await database.send(
      new UpdateCommand({
        TableName: setting('CONSOLE_TABLE'),
        Key: sessionKey(sessionHash(cookieOf(client)?.secret ?? '')),
        UpdateExpression: `SET ${name} = :at`,
        ExpressionAttributeValues: { ':at': new Date(Date.parse(String(row[name])) - byMs).toISOString() },
      }),
    );
}

test('the first sign-in of a new person begins no session, because it has one factor; the second one does', async () => {
  const client = signedOut(newAddress());
  await createAccount(client.email);
  const submit = beginSignIn(client.email, client);
  const { url } = await submit();
  expect(new URL(url).origin).toBe(new URL(setting('SIGN_IN_ISSUER')).origin);
  expect(client.cookies.get(SESSION_COOKIE)).toBeUndefined();
  await submit();
  expect((await sessionOf(client)).person.email).toBe(client.email);
});

test('anyone can sign in: the person is stored, and belongs to no organisation', async () => {
  const email = newAddress();
  const client = await signIn(email.toUpperCase());
  const view = await sessionOf(client);
  expect(view).toMatchObject({ person: { email }, organisation: null, organisations: [], stage: 'local' });
  // The pages write this address into the command that tries a new key.
  expect(view.api_url.replace(/\/$/, '')).toBe(service.baseUrl);
  const person = await rowOf<Person>(personKey(view.person.id));
  expect(person).toMatchObject({ id: view.person.id, email });
  expect(await sessionRow(client)).toMatchObject({ personId: view.person.id, signedInAt: view.signed_in_at });
  expect([...client.cookies.keys()]).toEqual([SESSION_COOKIE]);
});

test('cookies are for this host and HTTPS only, and the session cookie only for requests from our own pages', async () => {
  const response = await signedOut().send('GET', '/session/start?to=/keys');
  expect(response.status).toBe(303);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sign-in=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/),
  ]);
  const client = await signIn(newAddress());
  const ended = await client.send('POST', '/session/end', { body: { everywhere: false } });
  expect(ended.headers.getSetCookie()).toEqual([
    '__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
  ]);
});

test('a sign-in in the same browser creates a new secret and ends the previous session', async () => {
  const email = newAddress();
  const client = await signIn(email);
  const old = signedOut(email);
  for (const [name, value] of client.cookies) old.cookies.set(name, value);
  await signIn(email, client);
  expect(cookieOf(client)?.secret).not.toBe(cookieOf(old)?.secret);
  expect((await old.send('GET', '/session')).status).toBe(401);
  expect((await client.send('GET', '/session')).status).toBe(200);
});

test('a member of two organisations switches to the other one on this device only', async () => {
  const [owner] = DEMO_MEMBERS;
  if (!owner) throw new Error('The demo organisation has no owner.');
  const [client, elsewhere] = [await signIn(owner.email), await signIn(owner.email)];
  const view = await sessionOf(client);
  expect(view.organisations.length).toBeGreaterThanOrEqual(2);
  const names = view.organisations.map(({ name }) => name);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(view.organisation?.id).toBe(view.organisations[0]?.id);
  const other = view.organisations[1]?.id ?? '';
  const switched = await client.send<typeof view>('POST', '/session/organisation', {
    body: { organisation_id: other },
  });
  expect(switched.json?.data?.organisation?.id).toBe(other);
  expect((await sessionOf(client)).organisation?.id).toBe(other);
  expect((await sessionOf(elsewhere)).organisation?.id).toBe(view.organisation?.id);
  // The next sign-in in this browser opens the same organisation.
  await signIn(owner.email, client);
  expect((await sessionOf(client)).organisation?.id).toBe(other);
});

test('a callback with a forged code, or for a sign-in that this browser did not start, returns to the sign-in page', async () => {
  const client = signedOut();
  const { headers, status } = await client.send('GET', '/session/callback?code=abc&state=def', {
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  });
  expect([status, headers.get('Location')]).toEqual([303, '/sign-in?failed=1']);
  const started = signedOut();
  const start = await started.send('GET', '/session/start');
  const state = new URL(start.headers.get('Location') ?? '').searchParams.get('state');
  const forged = await started.send('GET', `/session/callback?code=forged&state=${state}`);
  expect([forged.status, forged.headers.get('Location')]).toEqual([303, '/sign-in?failed=1']);
  expect(started.cookies.size).toBe(0);
});

test('a person who cancels at the identity provider returns to the sign-in page', async () => {
  const client = signedOut();
  const start = await client.send('GET', '/session/start');
  const state = new URL(start.headers.get('Location') ?? '').searchParams.get('state');
  const query = new URLSearchParams({ error: 'access_denied', state: String(state) });
  const { headers } = await client.send('GET', `/session/callback?${query}`);
  expect(headers.get('Location')).toBe('/sign-in?failed=1');
});

test('a session ends after an hour without a request, and 12 hours after it began', async () => {
  const [idle, old, used] = await Promise.all(
    [newAddress(), newAddress(), newAddress()].map((one) => signIn(one)),
  );
  if (!idle || !old || !used) throw new Error('There are no sessions.');
  await age(idle, ['usedAt'], HOUR_MS);
  await age(old, ['createdAt'], 12 * HOUR_MS);
  await age(used, ['usedAt'], HOUR_MS - MINUTE_MS);
  for (const client of [idle, old]) {
    const response = await client.send('GET', '/session');
    expect([response.status, response.json?.code]).toEqual([401, 'SIGN_IN_REQUIRED']);
    expect(client.cookies.size).toBe(0);
  }
  const before = Date.now();
  expect((await used.send('GET', '/session')).status).toBe(200);
  expect(Date.parse((await sessionRow(used))?.usedAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
});

test('signing out ends the session, and returns the address where the identity provider ends its own session', async () => {
  const client = await signIn(newAddress());
  const copy = signedOut();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  const key = sessionKey(sessionHash(cookieOf(client)?.secret ?? ''));
  expect((await rowOf<Session>(key))?.idToken).toBeDefined();
  const { json } = await client.send<{ sign_out_url: string }>('POST', '/session/end', {
    body: { everywhere: false },
  });
  const url = new URL(json?.data?.sign_out_url ?? '');
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${consoleUrl}/sign-in`);
  expect((await copy.send('GET', '/session')).status).toBe(401);
  const ended = await rowOf<Session>(key);
  expect(ended?.endedAt).toBeDefined();
  expect(ended).not.toHaveProperty('idToken');
});

test('signing out everywhere ends the sessions of all devices', async () => {
  const email = newAddress();
  const [phone, laptop] = [await signIn(email), await signIn(email)];
  const stranger = await signIn(newAddress());
  expect((await phone.send('POST', '/session/end', { body: { everywhere: true } })).status).toBe(200);
  expect((await laptop.send('GET', '/session')).status).toBe(401);
  expect((await stranger.send('GET', '/session')).status).toBe(200);
});

test('a person above their rate limit receives 429, and others are not affected', async () => {
  const [busy, other] = [await signIn(newAddress()), await signIn(newAddress())];
  const { person } = await sessionOf(busy);
  await database.send(
    new UpdateCommand({
      TableName: setting('CONSOLE_TABLE'),
      Key: personLimiterKey(person.id),
      UpdateExpression: 'SET tatMs = :tatMs',
      // The next request would be allowed in 2.5 s.
      ExpressionAttributeValues: { ':tatMs': Date.now() + 5_400 },
    }),
  );
  const { status, json, headers } = await busy.send('GET', '/session');
  expect([status, json?.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect((await other.send('GET', '/session')).status).toBe(200);
});
