import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { beginSignIn, consoleUrl, SESSION_COOKIE, sessionOf, signedOut, signIn } from '../support/console.ts';
import { mailsOnceThere, temporaryPassword } from '../support/console-mail.ts';

/** Sign-up over HTTP. Cognito's own sign-up, which says that an address is taken, is off. */

const newAddress = () => `sign-up-${randomUUID()}@example.com`;
const signUp = (email: string, headers = {}) =>
  signedOut().send('POST', '/sign-up', { body: { email }, headers });

/** Returns the whole response without its time and its ID. */
async function responseTo(email: string) {
  const { status, headers, text } = await signUp(email);
  const own = { ...Object.fromEntries(headers), date: '', 'x-request-id': '', 'x-amzn-requestid': '' };
  const id = headers.get('X-Request-Id') ?? '';
  return { status, headers: own, text: text.replace(id, '').replace(/"timestamp":"[^"]+"/, '') };
}

test('the response is the same for an unknown, a pending and an existing address, and only the emails differ', async () => {
  const [unknown, pending, existing] = [newAddress(), newAddress(), newAddress()];
  await signUp(pending);
  await mailsOnceThere(pending, 1);
  const earlier = temporaryPassword(pending);
  await signIn(existing);

  const first = await responseTo(unknown);
  expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  for (const email of [pending, existing, existing.toUpperCase()])
    expect(await responseTo(email)).toEqual(first);

  await mailsOnceThere(unknown, 1);
  expect(temporaryPassword(unknown)).toMatch(/^\S{12}$/);
  await mailsOnceThere(pending, 2);
  expect(temporaryPassword(pending)).not.toBe(earlier);
  const mails = await mailsOnceThere(existing, 2);
  expect(mails).toHaveLength(2);
  for (const { text } of mails) {
    expect(text).toContain(`${existing} already has one.`);
    expect(text).toContain(`${consoleUrl}/sign-in\n`);
  }
});

test('a new person signs in with the temporary password, and with no other', async () => {
  const client = signedOut(newAddress());
  await signUp(client.email);
  await mailsOnceThere(client.email, 1);
  const submit = beginSignIn(client.email, client);
  const { status, text } = await submit('another password');
  expect([status, text]).toEqual([400, expect.stringContaining('Incorrect username or password.')]);
  await submit(temporaryPassword(client.email));
  // The first sign-in has only one factor.
  expect(client.cookies.get(SESSION_COOKIE)).toBeUndefined();
  await submit();
  expect((await sessionOf(client)).person.email).toBe(client.email);
});

test('nobody signs in who has not signed up', async () => {
  const client = signedOut(newAddress());
  const { status, text } = await beginSignIn(client.email, client)();
  expect([status, text]).toEqual([400, expect.stringContaining('Incorrect username or password.')]);
});

test('a page of another site cannot sign people up', async () => {
  const { status, json } = await signUp(newAddress(), { 'Sec-Fetch-Site': 'cross-site' });
  expect([status, json?.code]).toEqual([403, 'CROSS_SITE_REQUEST']);
});
