import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { OrganisationName } from '../../shared/accounts/console/views.ts';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import type { Role } from '../../shared/core/member-role.ts';
import type {
  InvitationView,
  MembersView,
  MemberView,
  SessionView,
} from '../../shared/members/console/views.ts';
import { type ConsoleClient, consoleUrl, sessionOf, signIn } from '../support/console.ts';
import { invitationSecret, mailsTo } from '../support/console-mail.ts';

/** Teams over HTTP: invitations by email, roles, and removal. */

const newAddress = () => `member-${randomUUID()}@example.com`;
const newcomer = () => signIn(newAddress());

/** Signs in a new person, who creates an organisation. */
async function owner(name = 'Kainji Pay'): Promise<ConsoleClient> {
  const client = await newcomer();
  const { status } = await client.send('POST', '/organisations', { body: { name } });
  expect(status).toBe(200);
  return client;
}

const invite = (client: ConsoleClient, email: string, role: Role) =>
  client.send<InvitationView>('POST', '/invitations', { body: { email, role } });
const accept = (client: ConsoleClient, token: string) =>
  client.send<SessionView>('POST', '/invitations/accept', { body: { token } });
const membersOf = async (client: ConsoleClient) =>
  (await client.send<MembersView>('GET', '/members')).json?.data?.members ?? [];
const idOf = async (client: ConsoleClient) => (await sessionOf(client)).person.id;

/** Adds a new person to the organisation of `client`. */
async function join(client: ConsoleClient, role: Role): Promise<ConsoleClient> {
  const member = await newcomer();
  expect((await invite(client, member.email, role)).status).toBe(200);
  expect((await accept(member, invitationSecret(member.email))).status).toBe(200);
  return member;
}

describe('an invitation', () => {
  test('is sent by email as plain text, and its link can be used only once', async () => {
    const client = await owner('Kainji & Sons');
    const member = await newcomer();
    const { status, json, text } = await invite(client, member.email.toUpperCase(), 'developer');
    expect(status).toBe(200);
    expect(json?.data).toMatchObject({ email: member.email, role: 'developer' });

    const mails = mailsTo(member.email);
    expect(mails).toHaveLength(1);
    const secret = invitationSecret(member.email);
    expect(mails[0]?.text).toContain(`${consoleUrl}/invitation#${secret}\n`);
    expect(mails[0]?.text).toContain('"Kainji & Sons"');
    expect(mails[0]?.headers).toMatch(/^From: console@example\.com$/m);
    // The response does not contain the secret: only the owner of the address can accept.
    expect(text).not.toContain(secret);

    const accepted = await accept(member, secret);
    expect(accepted.json?.data?.organisation).toMatchObject({ name: 'Kainji & Sons', role: 'developer' });
    // The session is in the new organisation from now on.
    expect((await sessionOf(member)).organisation).toEqual(accepted.json?.data?.organisation);
    expect(await accept(member, secret)).toMatchObject({
      status: 409,
      json: { code: 'INVITATION_NOT_USABLE' },
    });
    const list = (await client.send<MembersView>('GET', '/members')).json?.data;
    expect(list?.members.map(({ email, role }) => [email, role])).toEqual([
      [client.email, 'owner'],
      [member.email, 'developer'],
    ]);
    expect(list?.invitations).toEqual([]);
  });

  test('S74: an invitation that was used, was cancelled, or is for another address', async () => {
    const client = await owner();
    const [stranger, used, cancelled] = [await newcomer(), await newcomer(), await newcomer()];
    const other = newAddress();
    for (const email of [other, used.email]) await invite(client, email, 'admin');
    const { json } = await invite(client, cancelled.email, 'admin');
    await client.send('POST', `/invitations/${json?.data?.id}/cancel`, { body: {} });
    await accept(used, invitationSecret(used.email));

    const responses = [
      await accept(stranger, invitationSecret(other)),
      await accept(used, invitationSecret(used.email)),
      await accept(cancelled, invitationSecret(cancelled.email)),
      await accept(stranger, 'A'.repeat(43)),
    ];
    const texts = responses.map(
      ({ status, text }) => `${status} ${text.replace(/"(request_id|timestamp)":"[^"]*"/g, '')}`,
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^409 .*INVITATION_NOT_USABLE/);
    expect((await sessionOf(stranger)).organisations).toEqual([]);
    expect((await membersOf(client)).map(({ email }) => email).sort()).toEqual(
      [client.email, used.email].sort(),
    );
  });

  test('can be cancelled, and its link is then rejected', async () => {
    const client = await owner();
    const member = await newcomer();
    const { json } = await invite(client, member.email, 'viewer');
    const path = `/invitations/${json?.data?.id}/cancel`;
    expect((await client.send('POST', path, { body: {} })).status).toBe(200);

    expect((await accept(member, invitationSecret(member.email))).status).toBe(409);
    expect((await client.send('POST', path, { body: {} })).status).toBe(409);
  });

  test('does not reveal whether an address has an account', async () => {
    const client = await owner();
    const known = (await newcomer()).email;
    const unknown = newAddress();
    const responses = [await invite(client, known, 'viewer'), await invite(client, unknown, 'viewer')];

    const shape = responses.map(({ status, headers, json }) => ({
      status,
      headers: [...headers.keys()].sort(),
      code: json?.code,
      message: json?.message,
      fields: Object.keys(json?.data ?? {}),
      invitedBy: json?.data?.invited_by,
    }));
    expect(shape[0]).toEqual(shape[1]);
    expect([known, unknown].map((email) => mailsTo(email).length)).toEqual([1, 1]);
  });

  test.each(['nobody', 'a@b', 'x@example.com\nBcc: all@example.com', `${'x'.repeat(250)}@example.com`])(
    'is rejected for %j, and the field is named',
    async (email) => {
      const client = await owner();
      const { status, json } = await invite(client, email, 'viewer');
      expect({ status, code: json?.code, field: json?.error?.field }).toEqual({
        status: 400,
        code: 'INVALID_SCHEMA',
        field: 'email',
      });
      expect(JSON.stringify(json?.error)).not.toContain('example.com\n');
    },
  );
});

describe('a member', () => {
  test('has the new role from the next request on', async () => {
    const client = await owner();
    const member = await join(client, 'viewer');
    expect((await member.send('GET', '/members')).status).toBe(403);
    const changed = await client.send<MemberView>('PUT', `/members/${await idOf(member)}`, {
      body: { role: 'admin' },
    });
    expect(changed.json?.data).toMatchObject({
      role: 'admin',
      last_sign_in: lagosDay(Date.now()),
      is_you: false,
    });

    expect((await member.send('GET', '/members')).status).toBe(200);
  });

  test('who was removed is rejected from the next request on, and can be invited again', async () => {
    const client = await owner();
    const member = await join(client, 'admin');
    const removed = await client.send('POST', `/members/${await idOf(member)}/remove`, { body: {} });
    expect({ status: removed.status, data: removed.json?.data }).toEqual({ status: 200, data: {} });

    expect(await member.send('GET', '/members')).toMatchObject({
      status: 401,
      json: { code: 'SIGN_IN_REQUIRED' },
    });
    expect((await membersOf(client)).map(({ email }) => email)).toEqual([client.email]);
    const again = await signIn(member.email);
    await invite(client, member.email, 'viewer');
    expect((await accept(again, invitationSecret(member.email))).status).toBe(200);
  });

  test('S72: an administrator who makes themselves or an invited person an owner', async () => {
    const client = await owner();
    const admin = await join(client, 'admin');
    const denied = { status: 403, json: { code: 'ROLE_REQUIRED' } };
    const [ownId, ownersId] = [await idOf(admin), await idOf(client)];

    expect(await invite(admin, newAddress(), 'owner')).toMatchObject(denied);
    expect(await admin.send('PUT', `/members/${ownId}`, { body: { role: 'owner' } })).toMatchObject(denied);
    expect(await admin.send('PUT', `/members/${ownersId}`, { body: { role: 'viewer' } })).toMatchObject(
      denied,
    );
    expect(await admin.send('POST', `/members/${ownersId}/remove`, { body: {} })).toMatchObject(denied);
    expect((await membersOf(client)).map(({ role }) => role)).toEqual(['owner', 'admin']);
  });

  test('of another organisation cannot be removed: the response is the same as for an unknown one', async () => {
    const client = await owner();
    const stranger = await owner();
    const texts = await Promise.all(
      [await idOf(stranger), 'unknown', 'a'.repeat(500), 'a%23b'].map(async (id) => {
        const { status, text } = await client.send('POST', `/members/${id}/remove`, { body: {} });
        return `${status} ${text.replace(/"(request_id|timestamp)":"[^"]*"/g, '')}`;
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^404 .*RESOURCE_NOT_FOUND/);
    expect(await membersOf(stranger)).toHaveLength(1);
  });

  test('who is the last owner is neither removed nor demoted', async () => {
    const client = await owner();
    await join(client, 'admin');
    const last = { status: 409, json: { code: 'LAST_OWNER' } };
    const id = await idOf(client);

    expect(await client.send('POST', `/members/${id}/remove`, { body: {} })).toMatchObject(last);
    expect(await client.send('PUT', `/members/${id}`, { body: { role: 'viewer' } })).toMatchObject(last);
  });
});

test('S73: the last owners, who remove each other at the same time', async () => {
  const first = await owner();
  const second = await join(first, 'owner');
  const [firstId, secondId] = [await idOf(first), await idOf(second)];
  const removals = await Promise.all([
    first.send('POST', `/members/${secondId}/remove`, { body: {} }),
    second.send('POST', `/members/${firstId}/remove`, { body: {} }),
  ]);

  // The second removal fails: its actor was already removed, or its target is the last owner.
  expect(removals.filter(({ status }) => status === 200)).toHaveLength(1);
  const left = await Promise.all(
    [first, second].map(async (client) => (await client.send('GET', '/members')).status),
  );
  expect(left.sort()).toEqual([200, 401]);
});

test('a member of two organisations sees both by name', async () => {
  const client = await owner('Kainji Pay');
  const { json } = await client.send<SessionView>('POST', '/organisations', { body: { name: 'Baobab' } });
  const names = json?.data?.organisations.map(({ name }: OrganisationName) => name);
  expect(names?.sort()).toEqual(['Baobab', 'Kainji Pay']);
});
