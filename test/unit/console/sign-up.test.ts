import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { signUpRoute } from '../../../shared/members/console/sign-up.ts';
import { invitationTable } from '../../../shared/members/invitation-table.ts';
import { inviteMember } from '../../../shared/members/invite-member.ts';
import type { Mail } from '../../../shared/members/mail.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';

/** Sign-up: the response comes first, and the work that depends on the address follows in another invocation. */

const EMAIL = 'ada@example.com';
const context = { awsRequestId: 'lambda-1' } as Context;

let lines: string[];
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  lines = [];
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** `sendTemporaryPassword` returns false for people who have an account. */
function signUps(sendTemporaryPassword: (email: string) => Promise<boolean>) {
  const service = memoryConsole();
  const events: object[] = [];
  const mails: Mail[] = [];
  const invitations = invitationTable(service.client, 'Console');
  const handler = signUpRoute('sign-up', {
    invitations,
    sendTemporaryPassword,
    sendMail: async (mail) => void mails.push(mail),
    invokeAgain: async (event) => void events.push(event),
    nowMs: () => service.clock.nowMs,
  });
  return {
    service,
    events,
    mails,
    invitations,
    respond: (email = ' Ada@Example.com', network = 0) => {
      const event = service.event('sign-up', { body: { email } });
      event.requestContext.identity.sourceIp = `198.51.${network}.7`;
      return handler(event, context);
    },
    work: (email = EMAIL, ofNetwork = 1) =>
      handler({ signUp: { email, ofNetwork, consoleUrl: ORIGIN } } as never, context),
  };
}

test('the response waits for nothing that depends on the address', async () => {
  const { service, events, mails, respond } = signUps(() => Promise.reject(new Error('called')));
  expect(await respond()).toMatchObject({ statusCode: 200 });
  expect(events).toEqual([{ signUp: { email: EMAIL, ofNetwork: 1, consoleUrl: ORIGIN } }]);
  expect(mails).toEqual([]);
  // Counting the sign-up uses only the network.
  const keys = [...new Set(JSON.stringify(service.calls).match(/SIGN-UP#[^"]*/g))];
  expect(keys).toEqual(['SIGN-UP#198.51.0.0/24']);
});

test('a network has 50 sign-ups a day, for all addresses, and those of other networks are not affected', async () => {
  const { service, events, respond } = signUps(async () => true);
  const answers = async (network: number, count: number) => {
    const statuses: number[] = [];
    for (let one = 0; one < count; one += 1)
      statuses.push((await respond(`someone-${network}-${one}@example.com`, network))?.statusCode ?? 0);
    return [statuses.filter((status) => status === 200).length, statuses.slice(-1)];
  };
  expect(await answers(0, 51)).toEqual([50, [429]]);
  const rejected = async (email: string) => {
    const { headers, body } = (await respond(email)) ?? {};
    const { code, message } = JSON.parse(body ?? '');
    return { code, message, wait: headers?.['Retry-After'] };
  };
  const full = await rejected('someone-0-0@example.com');
  expect(full).toMatchObject({ code: 'RATE_LIMITED', wait: String(15 * 3600) });
  expect(full.message).toContain('from your network today. Try again after midnight UTC.');
  expect(await rejected('never.seen@example.com')).toEqual(full);
  for (let network = 1; network <= 10; network += 1) expect(await answers(network, 50)).toEqual([50, [200]]);
  expect(events).toHaveLength(550);
  service.clock.nowMs += DAY_MS;
  expect(await answers(0, 1)).toEqual([1, [200]]);
});

describe('the 500 emails a day for sign-ups of the stage', () => {
  const order = { email: EMAIL, role: 'viewer' } as const;

  function sending() {
    const passwords: string[] = [];
    const used = signUps(async (email) => passwords.push(email) > 0);
    const { service, invitations, work } = used;
    const useUp = async () => {
      for (let one = 0; one < 505; one += 1) await work(`someone-${one}@example.com`);
    };
    const invite = (status: 'PENDING' | 'APPROVED', isOperator = false) => {
      const organisation = service.newOrganisation({ status });
      const inviter = isOperator ? undefined : service.newMember(service.newPerson(), organisation, 'owner');
      const members = memberTable(service.client, 'Console');
      return inviteMember({ ...order, organisation, inviter }, { members, invitations }, service.clock.nowMs);
    };
    return { ...used, passwords, useUp, invite };
  }

  test('are used up by emails only, and each sign-up beyond them is published as a metric, without an address', async () => {
    const { service, passwords, work, useUp } = sending();
    for (let count = 0; count < 600; count += 1) await work();
    expect(passwords).toHaveLength(5);
    expect(lines.join('')).not.toContain('limitedSignUps');
    await useUp();
    expect(passwords).toHaveLength(500);
    expect(lines.join('').match(/"limitedSignUps":1/g)).toHaveLength(10);
    expect(lines.join('')).not.toContain('@');
    service.clock.nowMs += DAY_MS;
    await work();
    expect(passwords).toHaveLength(501);
  });

  test('are left for the first three people of a network once 250 are sent', async () => {
    const { passwords, work } = sending();
    for (let network = 0; network < 10; network += 1)
      for (let one = 1; one <= 50; one += 1) await work(`busy-${network}-${one}@example.com`, one);
    expect(passwords).toHaveLength(250 + 5 * 3);
    for (const ofNetwork of [3, 4]) await work(`late-${ofNetwork}@example.com`, ofNetwork);
    expect(passwords.slice(265)).toEqual(['late-3@example.com']);
  });

  test.each([
    ['a member of an approved organisation', 'APPROVED', false],
    ['an operator', 'PENDING', true],
  ] as const)(
    'do not include those to people whom %s invited in the last 7 days',
    async (_, status, isOperator) => {
      const { service, passwords, work, useUp, invite } = sending();
      await invite(status, isOperator);
      await invite('PENDING');
      const keptUntil = (service.clock.nowMs + 7 * DAY_MS) / 1000;
      expect(JSON.stringify(service.calls)).toContain(`"expiresAt":${keptUntil}`);
      service.clock.nowMs += 7 * DAY_MS - 1;
      await useUp();
      for (let count = 0; count < 6; count += 1) await work();
      expect(passwords.slice(500)).toEqual(Array(5).fill(EMAIL));
      service.clock.nowMs += DAY_MS;
      await useUp();
      await work();
      expect(passwords.slice(1005)).toEqual([]);
    },
  );

  test('include those to people whom only an organisation that is not approved invited', async () => {
    const { passwords, work, useUp, invite } = sending();
    await invite('PENDING');
    await useUp();
    await work();
    expect(passwords).not.toContain(EMAIL);
  });
});

test('an address receives five emails a day for sign-ups, whether or not it has an account, and can still be invited', async () => {
  for (const isNew of [true, false]) {
    const passwords: string[] = [];
    const { service, mails, invitations, work } = signUps(
      async (email) => isNew && passwords.push(email) > 0,
    );
    const organisation = service.newOrganisation({ status: 'APPROVED' });
    const inviter = service.newMember(service.newPerson(), organisation, 'owner');
    const order = { organisation, email: EMAIL, role: 'viewer', inviter } as const;
    const members = memberTable(service.client, 'Console');
    const invite = () => inviteMember(order, { members, invitations }, service.clock.nowMs);
    for (let count = 0; count < 6; count += 1) await work();
    const sent = () => (isNew ? passwords : mails.map(({ to }) => to));
    expect(sent()).toEqual([EMAIL, EMAIL, EMAIL, EMAIL, EMAIL]);
    for (let count = 0; count < 5; count += 1) await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'INVITATION_LIMIT_REACHED' });
    service.clock.nowMs += DAY_MS;
    await work();
    expect(sent()).toHaveLength(6);
  }
});

test.each([
  [
    'dots, a tag and the other domain of Gmail',
    ['victim@gmail.com', 'vic.tim@gmail.com', 'v.i.c.tim+x@googlemail.com'],
    5,
  ],
  ['a tag', ['victim@example.com', 'victim+x@example.com'], 5],
  ['dots elsewhere, which are other people', ['vic.tim@example.com', 'victim@example.com'], 10],
])('emails for sign-ups are counted for each inbox: %s', async (_, addresses, most) => {
  const passwords: string[] = [];
  const { work } = signUps(async (email) => passwords.push(email) > 0);
  for (let count = 0; count < 6; count += 1) for (const address of addresses) await work(address);
  expect(passwords).toHaveLength(most);
});

test('sign-ups with tagged addresses leave one to the address without a tag', async () => {
  const passwords: string[] = [];
  const { work } = signUps(async (email) => passwords.push(email) > 0);
  for (let tag = 0; tag < 6; tag += 1) await work(`employee+${tag}@example.com`);
  await work('employee@example.com');
  expect(passwords).toHaveLength(5);
  expect(passwords.at(-1)).toBe('employee@example.com');
});

test('organisations that are not approved use up only three of the five invitations that an address receives', async () => {
  const { service, invitations } = signUps(async () => true);
  const members = memberTable(service.client, 'Console');
  const inviteFrom = (status: 'PENDING' | 'APPROVED') => {
    const organisation = service.newOrganisation({ status });
    const inviter = service.newMember(service.newPerson(), organisation, 'owner');
    const order = { organisation, email: EMAIL, role: 'viewer', inviter } as const;
    return inviteMember(order, { members, invitations }, service.clock.nowMs);
  };
  const full = { code: 'INVITATION_LIMIT_REACHED' };
  for (let count = 0; count < 3; count += 1) await inviteFrom('PENDING');
  await expect(inviteFrom('PENDING')).rejects.toMatchObject(full);
  for (let count = 0; count < 2; count += 1) await inviteFrom('APPROVED');
  await expect(inviteFrom('APPROVED')).rejects.toMatchObject(full);
});

test('a failure of the identity provider is counted and repeated, without the address in the log', async () => {
  const { work } = signUps(() => Promise.reject(new Error('Cognito does not respond.')));
  await expect(work()).rejects.toThrow('Cognito does not respond.');
  expect(lines.join('')).toContain('"failedSignIns":1');
  expect(lines.join('')).toContain('"lambda_request_id":"lambda-1"');
  expect(lines.join('')).not.toContain(EMAIL);
});
