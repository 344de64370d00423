import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { memberKey, membershipKey, organisationKey } from '../../shared/core/keys.ts';
import { inviteMember } from '../../shared/members/invite-member.ts';
import { changeRole, removeMember } from '../../shared/members/manage-members.ts';
import { membershipTable } from '../../shared/members/membership-table.ts';
import type { Membership } from '../../shared/members/rows.ts';
import type { StateTable } from '../registries/local-state-table.ts';
import { consoleTeam, newPerson, openConsoleTables } from '../support/console-team.ts';

/** Organisations of the console, their members and invitations, in DynamoDB Local. */

const START_MS = Date.parse('2026-11-21T12:00:00Z');
let nowMs = START_MS;
let tables: StateTable;
let team: ReturnType<typeof consoleTeam>;
beforeAll(async () => {
  tables = await openConsoleTables();
  team = consoleTeam(tables, () => nowMs);
});
afterAll(() => tables.close());

const code = (expected: string) => expect.objectContaining({ code: expected });
const activeMembers = async ({ organisationId }: Membership) =>
  (await team.members().listMembers(organisationId)).filter(({ status }) => status === 'ACTIVE');
const rowAt = async (Key: Record<string, string>) => {
  const { Item } = await tables.client.send(new GetCommand({ TableName: tables.tableName, Key }));
  return Item;
};
/** The order of entries in the same millisecond is undefined. */
const sorted = (entries: readonly AuditEntry[]) =>
  [...entries].sort((a, b) => a.action.localeCompare(b.action));
const actionsOf = async ({ organisationId }: Membership) =>
  sorted(await team.audit.listEntries(organisationId)).map(({ action, actor, target }) => [
    action,
    actor,
    target,
  ]);

describe('a person who creates an organisation', () => {
  test('becomes its owner and writes no status, services or limits', async () => {
    const person = newPerson('Amaka Invented');
    const owner = await team.organisationOf(person, 'Kainji Pay');

    expect(owner).toMatchObject({ role: 'owner', status: 'ACTIVE', organisationName: 'Kainji Pay' });
    const { organisationId, since } = owner;
    expect(await rowAt(organisationKey(organisationId))).toEqual({
      ...organisationKey(organisationId),
      id: organisationId,
      name: 'Kainji Pay',
      createdAt: since,
      version: 1,
    });
    const stored = await organisationTable(tables.client, tables.tableName).getOrganisation(organisationId);
    expect(stored).toMatchObject({ status: 'PENDING', services: {}, walletShards: 1 });
    expect(await rowAt(membershipKey(person.id, organisationId))).toEqual({
      ...(await rowAt(memberKey(organisationId, person.id))),
      ...membershipKey(person.id, organisationId),
    });
    expect(await actionsOf(owner)).toEqual([['organisation create', `member:${person.id}`, 'organisation']]);
  });

  test('owns at most five organisations, even if they create eight at once', async () => {
    const person = newPerson();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => team.organisationOf(person)));
    for (let left = results.length; left > 0; left -= 1)
      await team.organisationOf(person).catch(() => undefined);

    const table = membershipTable(tables.client, tables.tableName);
    expect(await table.listMemberships(person.id)).toHaveLength(5);
    await expect(team.organisationOf(person)).rejects.toEqual(code('ORGANISATION_LIMIT_REACHED'));
  });

  test('can create another organisation after leaving one', async () => {
    const person = newPerson();
    const first = await team.organisationOf(person);
    for (let count = 1; count < 5; count += 1) await team.organisationOf(person);
    await team.join(first, 'owner');
    await removeMember(first, first, team.members(person.id));

    expect(await team.organisationOf(person)).toMatchObject({ role: 'owner' });
  });
});

describe('an invitation', () => {
  test('adds a member with its role, once', async () => {
    const owner = await team.organisationOf(newPerson());
    const person = newPerson();
    const { row, secret } = await team.invite(owner, person.email, 'developer');
    expect(JSON.stringify(row)).not.toContain(secret);

    expect(await team.accept(person, secret)).toMatchObject({ role: 'developer', invitedBy: owner.personId });
    await expect(team.accept(person, secret)).rejects.toEqual(code('INVITATION_NOT_USABLE'));
    expect(await activeMembers(owner)).toHaveLength(2);
    expect(await actionsOf(owner)).toEqual([
      ['invitation accept', `member:${person.id}`, `member ${person.id}`],
      ['member invite', `member:${owner.personId}`, `invitation ${row.id}`],
      ['organisation create', `member:${owner.personId}`, 'organisation'],
    ]);
  });

  test('adds one member if it is accepted ten times at once', async () => {
    const owner = await team.organisationOf(newPerson());
    const person = newPerson();
    const { secret } = await team.invite(owner, person.email, 'viewer');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => team.accept(person, secret)));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await activeMembers(owner)).toHaveLength(2);
  });

  test('is rejected in the same way if it is unknown, for another address, expired or cancelled', async () => {
    const owner = await team.organisationOf(newPerson());
    const person = newPerson();
    const { row, secret } = await team.invite(owner, person.email, 'viewer');
    const notUsable = code('INVITATION_NOT_USABLE');

    await expect(team.accept(person, 'x'.repeat(43))).rejects.toEqual(notUsable);
    await expect(team.accept(newPerson(), secret)).rejects.toEqual(notUsable);
    nowMs = START_MS + 7 * DAY_MS;
    await expect(team.accept(person, secret)).rejects.toEqual(notUsable);
    nowMs = START_MS;
    expect(await team.invitations(owner.personId, 'invitation cancel').cancelInvitation(row)).toBe(true);
    await expect(team.accept(person, secret)).rejects.toEqual(notUsable);
    expect(await activeMembers(owner)).toHaveLength(1);
  });

  test('replaces the open invitation for the same address', async () => {
    const owner = await team.organisationOf(newPerson());
    const person = newPerson();
    const first = await team.invite(owner, person.email, 'viewer');
    const second = await team.invite(owner, person.email, 'admin');

    await expect(team.accept(person, first.secret)).rejects.toEqual(code('INVITATION_NOT_USABLE'));
    expect(await team.accept(person, second.secret)).toMatchObject({ role: 'admin' });
  });

  test('is the only open one for its address, even if ten are sent at the same time', async () => {
    const owner = await team.organisationOf(newPerson());
    const { email } = newPerson();
    await Promise.allSettled(Array.from({ length: 10 }, () => team.invite(owner, email, 'viewer')));

    const sent = await team.invitations(owner.personId).listInvitations(owner.organisationId);
    expect(sent.filter(({ state }) => state === 'OPEN')).toHaveLength(1);
  });

  test('is rejected for a member, as the 21st open invitation, and as the 51st in one day', async () => {
    const owner = await team.organisationOf(newPerson());
    await expect(team.invite(owner, owner.email, 'viewer')).rejects.toEqual(code('ALREADY_MEMBER'));
    for (let count = 0; count < 20; count += 1)
      await team.invite(owner, `open${count}@example.com`, 'viewer');
    const full = code('INVITATION_LIMIT_REACHED');
    await expect(team.invite(owner, 'late@example.com', 'viewer')).rejects.toEqual(full);
    for (let count = 20; count < 50; count += 1)
      await team.invite(owner, `open${count % 20}@example.com`, 'viewer');
    await expect(team.invite(owner, 'open1@example.com', 'viewer')).rejects.toEqual(full);
    nowMs = START_MS + DAY_MS;
    await team.invite(owner, 'open1@example.com', 'viewer');
    nowMs = START_MS;
  });

  test('is rejected as the sixth to one address in one day, whatever organisations have sent them', async () => {
    const owners = [await team.organisationOf(newPerson()), await team.organisationOf(newPerson())] as const;
    const { email } = newPerson();
    const tagged = email.replace('@', '+work@');
    const invitedBy = (index: 0 | 1) => team.invite(owners[index], email, 'viewer');
    const sent = await Promise.allSettled([0, 1, 0, 1, 0, 1].map((index) => invitedBy(index as 0 | 1)));
    for (const { status } of sent) if (status === 'rejected') await invitedBy(0).catch(() => undefined);
    for (const index of [0, 1] as const)
      await expect(invitedBy(index)).rejects.toEqual(code('INVITATION_LIMIT_REACHED'));
    await expect(team.invite(owners[0], tagged, 'viewer')).rejects.toEqual(code('INVITATION_LIMIT_REACHED'));
    const stored = await Promise.all(
      owners.map(({ personId, organisationId }) =>
        team.invitations(personId).listInvitations(organisationId),
      ),
    );
    expect(stored.flat()).toHaveLength(5);
    const tables = { members: team.members(), invitations: team.invitations('operator') };
    const organisation = {
      id: owners[0].organisationId,
      name: 'Harmattan Credit',
      status: 'PENDING',
    } as const;
    await inviteMember({ organisation, email, role: 'viewer', inviter: undefined }, tables, nowMs);
    nowMs = START_MS + DAY_MS;
    await invitedBy(1);
    nowMs = START_MS;
  });

  test('restores a removed member, with a new role', async () => {
    const owner = await team.organisationOf(newPerson());
    const person = newPerson();
    const admin = await team.join(owner, 'admin', person);
    await removeMember({ personId: owner.personId }, admin, team.members(owner.personId));

    expect(await team.join(owner, 'viewer', person)).toMatchObject({ role: 'viewer', status: 'ACTIVE' });
    expect((await activeMembers(owner)).map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });
});

describe('nobody escalates their role:', () => {
  test('an administrator cannot invite, appoint, change or remove an owner', async () => {
    const owner = await team.organisationOf(newPerson());
    const admin = await team.join(owner, 'admin');
    const denied = code('ROLE_REQUIRED');
    const table = team.members(admin.personId);

    await expect(team.invite(admin, 'friend@example.com', 'owner')).rejects.toEqual(denied);
    await expect(changeRole(admin, admin, 'owner', table)).rejects.toEqual(denied);
    await expect(changeRole(admin, owner, 'viewer', table)).rejects.toEqual(denied);
    await expect(removeMember(admin, owner, table)).rejects.toEqual(denied);
    expect((await activeMembers(owner)).map(({ role }) => role).sort()).toEqual(['admin', 'owner']);
  });

  test('an administrator who has just been demoted cannot change anyone', async () => {
    const owner = await team.organisationOf(newPerson());
    const admin = await team.join(owner, 'admin');
    const viewer = await team.join(owner, 'viewer');
    await changeRole(owner, admin, 'viewer', team.members(owner.personId));

    const change = changeRole(admin, viewer, 'admin', team.members(admin.personId));
    await expect(change).rejects.toEqual(code('ROLE_REQUIRED'));
  });

  test.each(['removed', 'demoted'])(
    'an invitation from an owner who has since been %s cannot be accepted',
    async (how) => {
      const owner = await team.organisationOf(newPerson());
      const second = await team.join(owner, 'owner');
      const friend = newPerson();
      const { secret } = await team.invite(second, friend.email, 'owner');
      const table = team.members(owner.personId);
      if (how === 'removed') await removeMember(owner, second, table);
      else await changeRole(owner, second, 'admin', table);

      await expect(team.accept(friend, secret)).rejects.toEqual(code('INVITATION_NOT_USABLE'));
    },
  );

  test('members of another organisation are unknown', async () => {
    const owner = await team.organisationOf(newPerson());
    const other = await team.organisationOf(newPerson());
    const ref = { organisationId: owner.organisationId, personId: other.personId };
    const unknown = { organisationId: owner.organisationId, personId: 'person-unknown' };
    for (const member of [ref, unknown]) {
      await expect(removeMember(owner, member, team.members())).rejects.toEqual(code('RESOURCE_NOT_FOUND'));
      await expect(changeRole(owner, member, 'viewer', team.members())).rejects.toEqual(
        code('RESOURCE_NOT_FOUND'),
      );
    }
  });
});

describe('the last owner', () => {
  test('cannot be removed or demoted, even by themselves or by an operator', async () => {
    const owner = await team.organisationOf(newPerson());
    await team.join(owner, 'admin');
    const last = code('LAST_OWNER');

    await expect(removeMember(owner, owner, team.members())).rejects.toEqual(last);
    await expect(changeRole(owner, owner, 'admin', team.members())).rejects.toEqual(last);
    await expect(removeMember('operator', owner, team.members())).rejects.toEqual(last);
    expect(await activeMembers(owner)).toHaveLength(2);
  });

  test('remains even if all owners are removed and demoted at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await team.organisationOf(newPerson());
      const owners = [first, await team.join(first, 'owner'), await team.join(first, 'owner')];
      const next = (index: number) => owners[(index + 1) % owners.length] ?? first;
      await Promise.allSettled(
        owners.flatMap((actor, index) => [
          removeMember(actor, next(index), team.members(actor.personId)),
          changeRole(actor, actor, 'viewer', team.members(actor.personId)),
        ]),
      );

      const left = await activeMembers(first);
      expect(left.filter(({ role }) => role === 'owner').length).toBeGreaterThanOrEqual(1);
    }
  });

  test('can leave once there is another owner', async () => {
    const owner = await team.organisationOf(newPerson());
    const second = await team.join(owner, 'owner');
    await removeMember(owner, owner, team.members(owner.personId));

    expect((await activeMembers(owner)).map(({ personId }) => personId)).toEqual([second.personId]);
    expect(await rowAt(membershipKey(owner.personId, owner.organisationId))).toMatchObject({
      status: 'REMOVED',
    });
  });
});
