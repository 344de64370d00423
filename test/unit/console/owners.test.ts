import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { acceptBody, changeMemberBody, inviteBody } from '../../../shared/members/console/bodies.ts';
import {
  accept,
  change,
  invite,
  remove,
  type TeamDependencies,
} from '../../../shared/members/console/team.ts';
import { invitationTable } from '../../../shared/members/invitation-table.ts';
import { inviteMember } from '../../../shared/members/invite-member.ts';
import type { SendMail } from '../../../shared/members/mail.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { consoleRoute, signedInRoute } from '../../../shared/members/middleware/console-route.ts';
import { withdrawSlipBody } from '../../../shared/slips/console/bodies.ts';
import { withdrawSlipOfRequest } from '../../../shared/slips/console/withdraw-slip.ts';
import { addWebhookBody, updateWebhookBody, webhookBody } from '../../../shared/webhooks/console/bodies.ts';
import {
  addWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../shared/webhooks/console/webhooks.ts';
import { type MemoryConsole, memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';

/** What owners are told about, and what only owners and administrators may change. */

let service: MemoryConsole;
let organisation: Organisation;
let sendMail: jest.Mock<SendMail>;
let deps: TeamDependencies;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  organisation = service.newOrganisation();
  sendMail = jest.fn(async () => undefined);
  deps = {
    members: (recorder) => memberTable(service.client, 'Console', recorder),
    invitations: (recorder) => invitationTable(service.client, 'Console', recorder),
  };
});

function member(role: 'owner' | 'admin' | 'developer') {
  const person = service.newPerson({ name: `Ngozi the ${role}` });
  return {
    person,
    row: service.newMember(person, organisation, role),
    browser: service.newSession(person, organisation),
  };
}
const mails = () => sendMail.mock.calls.map(([{ to, text }]) => [to, / UTC\+1\), (.*)\n/.exec(text)?.[1]]);

test('every owner receives an email about a member who is made an owner, and about no other role', async () => {
  const [owner, admin] = [member('owner'), member('admin')];
  const handler = consoleRoute(
    'change-member',
    change(deps, sendMail),
    { body: changeMemberBody },
    service.deps,
  );
  for (const role of ['viewer', 'owner', 'owner'])
    await service.send(handler, 'change-member', owner.browser, {
      body: { role },
      pathParameters: { id: admin.person.id },
    });
  // Without links, like every text that people have entered.
  const what = `${admin.person.id}@ example. com was made an owner in the organisation "Harmattan" by "Ngozi the owner".`;
  expect(mails()).toEqual([
    [owner.person.email, what],
    [admin.person.email, what],
  ]);
});

test('a member causes at most 30 emails to owners in a day, and changes nothing more', async () => {
  const [owner, other] = [member('owner'), member('owner')];
  const route = { body: changeMemberBody };
  const handler = consoleRoute('change-member', change(deps, sendMail), route, service.deps);
  const statuses = [];
  for (let changes = 0; changes < 32; changes += 1) {
    service.clock.nowMs += 1_000;
    const body = { role: changes % 2 ? 'owner' : 'admin' };
    const sent = { body, pathParameters: { id: other.person.id } };
    statuses.push((await service.send(handler, 'change-member', owner.browser, sent)).status);
  }
  // The last request changes nothing.
  expect(statuses).toEqual([...Array(30).fill(200), 429, 200]);
  expect(mails()).toHaveLength(60);
});

test('a person sends at most ten invitations in a day before approval, to whichever organisation', async () => {
  const owner = member('owner');
  const handler = consoleRoute('invite-member', invite(deps, sendMail), { body: inviteBody }, service.deps);
  const send = async (index: number) => {
    service.clock.nowMs += 1_000;
    const body = { email: `ada${index}@example.com`, role: 'viewer' };
    return (await service.send(handler, 'invite-member', owner.browser, { body })).status;
  };
  const statuses = [];
  for (let sent = 0; sent < 12; sent += 1) statuses.push(await send(sent));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

test.each(['change-member', 'remove-member'] as const)(
  '%s of an owner is told to the owners before it, including that one, and of others to nobody',
  async (name) => {
    const [author, other, admin] = [member('owner'), member('owner'), member('admin')];
    const handler =
      name === 'change-member'
        ? consoleRoute(name, change(deps, sendMail), { body: changeMemberBody }, service.deps)
        : consoleRoute(name, remove(deps, sendMail), {}, service.deps);
    for (const { person } of [admin, other]) {
      const body = name === 'change-member' ? { role: 'viewer' } : {};
      const sent = { body, pathParameters: { id: person.id } };
      expect((await service.send(handler, name, author.browser, sent)).status).toBe(200);
    }
    const how = name === 'change-member' ? 'changed from owner to viewer' : 'removed as owner';
    const what = `${other.person.id}@ example. com was ${how} in the organisation "Harmattan" by "Ngozi the owner".`;
    expect(mails()).toEqual([author, other].map(({ person }) => [person.email, what]));
  },
);

test('every owner receives an email about an accepted invitation of an owner', async () => {
  const { person, row } = member('owner');
  const tables = { members: deps.members(), invitations: deps.invitations() };
  const handler = signedInRoute(
    'accept-invitation',
    accept(deps, sendMail, service.viewDeps),
    { body: acceptBody },
    service.deps,
  );
  for (const role of ['admin', 'owner'] as const) {
    const invited = service.newPerson({ name: `Bola the ${role}` });
    const order = { organisation, email: invited.email, role, inviter: row };
    const { secret: token } = await inviteMember(order, tables, service.clock.nowMs);
    const sent = { body: { token } };
    expect((await service.send(handler, 'accept-invitation', service.newSession(invited), sent)).status).toBe(
      200,
    );
  }
  expect(mails()).toContainEqual([
    person.email,
    expect.stringMatching(/ was made an owner in the organisation "Harmattan" by "Bola the owner"\.$/),
  ]);
  expect(mails()).toHaveLength(2);
});

describe('a live webhook endpoint', () => {
  const unused = () => {
    throw new Error('No endpoint is read before the role is checked.');
  };
  const CHANGES = {
    'add-webhook': [addWebhook(unused), addWebhookBody],
    'update-webhook': [updateWebhook(unused), updateWebhookBody],
    'delete-webhook': [deleteWebhook(unused), webhookBody],
    'rotate-webhook-secret': [rotateWebhookSecret(unused), webhookBody],
  } as const;
  const added = { url: 'https://a.example/', event_types: ['balance.low'] };
  const CHOICES: Partial<Record<keyof typeof CHANGES, object>> = {
    'add-webhook': added,
    'update-webhook': { ...added, is_enabled: true },
  };

  test.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
    'cannot be added or changed by a developer: %s',
    async (name) => {
      const [run, body] = CHANGES[name];
      const handler = consoleRoute(name, run as never, { body: body as never }, service.deps);
      const sent = (env: string) => ({
        body: { env, ...CHOICES[name] },
        pathParameters: { id: 'hook' },
      });
      const codes = ['live', 'test'].map(
        async (env) => (await service.send(handler, name, member('developer').browser, sent(env))).code,
      );
      // The error of the dependencies shows that the check has passed.
      expect(await Promise.all(codes)).toEqual(['ROLE_REQUIRED', 'SERVER_ERROR']);
      expect((await service.send(handler, name, member('admin').browser, sent('live'))).code).toBe(
        'SERVER_ERROR',
      );
    },
  );
});

test('a developer cannot withdraw a live slip', async () => {
  const unused = () => {
    throw new Error('No slip is read before the role is checked.');
  };
  const run = withdrawSlipOfRequest({
    log: { findByRequest: unused },
    withdrawn: { withdraw: unused },
    slipSecret: unused,
    nowMs: unused,
  });
  const handler = consoleRoute('withdraw-slip', run, { body: withdrawSlipBody }, service.deps);
  const codeOf = async (role: 'admin' | 'developer', env: string) => {
    const sent = { body: { env }, pathParameters: { request_id: 'req_0a1b2c3d4e5f' } };
    return (await service.send(handler, 'withdraw-slip', member(role).browser, sent)).code;
  };
  expect([
    await codeOf('developer', 'live'),
    await codeOf('developer', 'test'),
    await codeOf('admin', 'live'),
  ]).toEqual(['ROLE_REQUIRED', 'SERVER_ERROR', 'SERVER_ERROR']);
});
