import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { membershipTable } from '../../shared/members/membership-table.ts';
import { personTable } from '../../shared/members/person-table.ts';
import type { Profile } from '../../shared/members/rows.ts';
import { profileTable } from '../../shared/profiles/profile-table.ts';
import { CONSOLE_URL, startTestDeployment, type TestDeployment } from './test-deployment.ts';

/**
 * `admin member`, and the commands about what members have entered. No email can be sent here:
 * test/operator/roles.test.ts sends one.
 */

interface Invited {
  readonly link: string;
}
interface Team {
  readonly members: readonly { readonly id: string; readonly email: string; readonly role: string }[];
  readonly invitations: readonly { readonly email: string }[];
}

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await startTestDeployment();
});
afterAll(() => deployment.close());

const CHECK = {
  result: 'FOUND',
  checkedAt: '2026-11-21T12:00:00.000Z',
  requestId: 'req_0123456789ab',
} as const;
const PROFILE: Profile = {
  companyNumber: 'RC1234567',
  taxNumber: '12345678-0001',
  address: ['1 Invented Way', 'Lagos'],
  billingContact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
  privacyContact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
  companyCheck: { ...CHECK, name: 'KAINJI PAY LTD', isNameEqual: true },
  submittedAt: '2026-11-21T13:00:00.000Z',
  submittedBy: 'amaka',
  version: 2,
};

/** Accepts the invitation behind a link, as a person who has signed in. */
async function accept(link: string, id: string, email: string): Promise<void> {
  const { client, tables } = deployment;
  const person = { id, email, name: 'Amaka Invented', createdAt: '2026-11-21T12:00:00.000Z' };
  await personTable(client, tables.console).savePerson(person);
  const members = memberTable(client, tables.console);
  const invitations = invitationTable(client, tables.console);
  const [, secret = ''] = link.split('#');
  await acceptInvitation(person, secret, { members, invitations }, Date.now());
}

/** Invites a person, who accepts. */
async function join(org: string, id: string, role: string): Promise<string> {
  const email = `${id}@kainji.example`;
  const { link } = await deployment.json<Invited>('member', 'invite', org, email, '--role', role);
  await accept(link, id, email);
  return email;
}

describe('member', () => {
  test('invite prints the link even if the email cannot be sent', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    const { code, stdout, stderr } = await deployment.admin(
      'member',
      'invite',
      id,
      'Amaka@Kainji.Example',
      '--role',
      'owner',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The email was not sent \(\w+\)\. Send the link yourself\.$/m);
    const [link = ''] = stdout.split('\n');
    expect(link).toMatch(new RegExp(`^${CONSOLE_URL}/invitation#[\\w-]{43}$`));
    await accept(link, 'amaka', 'amaka@kainji.example');

    expect(await deployment.json<Team>('member', 'list', id)).toMatchObject({
      members: [{ id: 'amaka', email: 'amaka@kainji.example', role: 'owner' }],
      invitations: [],
    });
  });

  test('invite rejects an invalid email address, an unknown role and an unknown organisation', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    expect((await deployment.admin('member', 'invite', id, 'amaka', '--role', 'owner')).code).toBe(2);
    expect((await deployment.admin('member', 'invite', id, 'a@b.example', '--role', 'king')).code).toBe(2);
    const unknown = await deployment.admin(
      'member',
      'invite',
      'AAAAAAAAAA',
      'a@b.example',
      '--role',
      'owner',
    );
    expect(unknown).toMatchObject({ code: 1, stderr: 'There is no organisation AAAAAAAAAA.\n' });
  });

  test('remove rejects the last owner, and removes others by address or ID', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    const email = await join(id, 'first', 'owner');
    const last = await deployment.admin('--yes', 'member', 'remove', id, email);
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('needs an owner') });
    await join(id, 'second', 'owner');
    await deployment.json('--yes', 'member', 'remove', id, email);

    const team = await deployment.json<Team>('member', 'list', id);
    expect(team.members.map((one) => one.id)).toEqual(['second']);
    const changes = await deployment.json<readonly { action: string; target: string }[]>(
      'audit',
      '--org',
      id,
    );
    expect(changes[0]).toMatchObject({ action: 'member remove', target: 'member first' });
    expect(changes.map(({ action }) => action)).toContain('member invite');
    expect(JSON.stringify(changes)).not.toContain('kainji.example');
  });

  test('erase replaces the name and address of a person who was removed from every organisation', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    await join(id, 'stays', 'owner');
    await join(id, 'leaves', 'viewer');
    const early = await deployment.admin('--yes', 'member', 'erase', 'leaves');
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('is still a member of') });
    await deployment.json('--yes', 'member', 'remove', id, 'leaves');
    expect(await deployment.json('--yes', 'member', 'erase', 'leaves')).toEqual({
      person: 'leaves',
      memberships: 1,
    });

    const { client, tables } = deployment;
    const rows = await Promise.all([
      memberTable(client, tables.console).listMembers(id),
      membershipTable(client, tables.console).listMemberships('leaves'),
    ]);
    const erased = rows.flat().filter(({ personId }) => personId === 'leaves');
    expect(erased).toHaveLength(2);
    for (const row of erased) {
      expect(row).toMatchObject({ status: 'REMOVED', personName: 'Removed member', email: '' });
      expect(row).not.toHaveProperty('signedInOn');
    }
    const changes = await deployment.json<readonly { action: string; target: string }[]>('audit');
    expect(changes).toContainEqual(
      expect.objectContaining({ action: 'member erase', target: 'person leaves' }),
    );
    expect(await deployment.admin('--yes', 'member', 'erase', 'nobody')).toMatchObject({ code: 1 });
  });
});

describe('org', () => {
  test('profile shows what members have entered, and list --submitted shows which organisations await approval', async () => {
    const first = await deployment.operator.createOrganisation('Kainji Pay');
    const second = await deployment.operator.createOrganisation('Baobab Lending');
    const profiles = profileTable(deployment.client, deployment.tables);
    const save = (id: string, after: Profile) =>
      profiles.saveProfile(id, { before: undefined, after, recorded: {}, isForPending: true });
    await save(first.id, PROFILE);
    await save(second.id, { ...PROFILE, taxCheck: CHECK, submittedAt: '2026-11-20T13:00:00.000Z' });

    const listed = await deployment.json<readonly { id: string }[]>('org', 'list', '--submitted');
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    const { stdout } = await deployment.admin('org', 'profile', first.id);
    expect(stdout).toMatch(
      /^company number +RC1234567: FOUND, KAINJI PAY LTD \(same name\) \(.*req_0123456789ab\)$/m,
    );
    expect(stdout).toMatch(/^tax number +12345678-0001: not checked$/m);
    expect(stdout).toMatch(/^submitted +2026-11-21T13:00:00Z by amaka$/m);
    expect(stdout).toMatch(/^profile version +2$/m);
    const other = await deployment.admin('org', 'profile', second.id);
    expect(other.stdout).toMatch(/^tax number +12345678-0001: FOUND, not known to be a company/m);
    await deployment.operator.approve(second.id);
    const left = await deployment.json<readonly { id: string }[]>('org', 'list', '--submitted');
    expect(left.map(({ id }) => id)).toEqual([first.id]);
  });

  test('approve rejects a profile that was changed after the operator checked it', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    const profiles = profileTable(deployment.client, deployment.tables);
    const save = (before: Profile | undefined, after: Profile) =>
      profiles.saveProfile(id, { before, after, recorded: {}, isForPending: true });
    await save(undefined, PROFILE);
    await save(PROFILE, { ...PROFILE, companyNumber: 'RC7654321', version: 3 });

    for (const seen of [[], ['--profile', '2']]) {
      const { code, stderr } = await deployment.admin('org', 'approve', id, ...seen);
      expect([code, stderr]).toEqual([1, expect.stringContaining('whose version is now 3')]);
      expect((await deployment.operator.getOrganisation(id)).status).toBe('PENDING');
    }
    expect((await deployment.admin('org', 'approve', id, '--profile', '3')).code).toBe(0);
    expect((await deployment.admin('org', 'approve', id)).code).toBe(0);
  });

  test('approve keeps a profile that was not submitted, and would otherwise expire', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    const profiles = profileTable(deployment.client, deployment.tables);
    const { submittedAt: _, submittedBy: __, ...draft } = PROFILE;
    const after = { ...draft, expiresAt: Math.ceil(Date.now() / 1000) + 3_600 };
    await profiles.saveProfile(id, { before: undefined, after, recorded: {}, isForPending: true });
    expect((await deployment.admin('org', 'approve', id, '--profile', '2')).code).toBe(0);
    expect(await profiles.getProfile(id)).toEqual(draft);
  });

  test('approve ends a suspension only with the version of the profile, which may never have been checked', async () => {
    const { id } = await deployment.operator.createOrganisation('Kainji Pay');
    await profileTable(deployment.client, deployment.tables).saveProfile(id, {
      before: undefined,
      after: PROFILE,
      recorded: {},
      isForPending: true,
    });
    await deployment.operator.suspend(id);
    const { code, stderr } = await deployment.admin('org', 'approve', id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('whose version is now 2')]);
    expect((await deployment.operator.getOrganisation(id)).status).toBe('SUSPENDED');
    expect((await deployment.admin('org', 'approve', id, '--profile', '2')).code).toBe(0);
  });
});
