import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorApi } from '../../clients/operator/operator-api.ts';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import type { Mail } from '../../shared/members/mail.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { type ActionName, approvalPath } from '../../shared/operators/actions.ts';
import { startUnrestrictedOperators } from './operator-functions.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/**
 * Prices, and live keys and members of an organisation that has an owner, need a second person, and its owners receive
 * an email.
 */

const OWNER = { id: 'owner-1', email: 'amaka@harmattan.example', name: 'Amaka Invented' };
const person = (name: string) => `arn:aws:sts::000000000000:assumed-role/identity-prod-operator/${name}`;

let deployment: TestDeployment;
let operators: Awaited<ReturnType<typeof startUnrestrictedOperators>>;
let mails: Mail[];
let org: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  const environment = { ...deployment.environment, SECOND_PERSON_ABOVE: '1000' };
  operators = await startUnrestrictedOperators(environment, 'https://console.example.com', async (mail) => {
    mails.push(mail);
  });
});
afterAll(async () => {
  await operators.close();
  await deployment.close();
});
beforeEach(async () => {
  ({ id: org } = await deployment.operator.createOrganisation('Harmattan Credit'));
  mails = [];
});

function apiOf(name: string): OperatorApi {
  const found = operators.credentialsOf(person(name));
  const credentials = {
    accessKeyId: found.AWS_ACCESS_KEY_ID,
    secretAccessKey: found.AWS_SECRET_ACCESS_KEY,
    sessionToken: found.AWS_SESSION_TOKEN,
  };
  const { region, sha256 } = deployment.client.config;
  return new OperatorApi(operators.url, { region, sha256, credentials: async () => credentials });
}
const [ada, bola] = ['ada', 'bola'] as const;

async function addMember(who: typeof OWNER, role: 'owner' | 'viewer'): Promise<void> {
  const { secret } = await deployment.operator.invite(org, who.email, role);
  await accept(who, secret);
}

function accept(who: typeof OWNER, secret: string) {
  const { client, tables } = deployment;
  const people = {
    members: memberTable(client, tables.console),
    invitations: invitationTable(client, tables.console),
  };
  return acceptInvitation(who, secret, people, Date.now());
}

/** Expects that the change needs a second person, and approves it as another one. */
async function approved<N extends ActionName>(
  name: N,
  input: Parameters<typeof OperatorApi.prototype.change<N>>[1],
) {
  const asked = await apiOf(ada).change(name, input);
  if (asked.kind !== 'requested') throw new Error('The change needed no second person.');
  expect(mails).toEqual([]);
  const path = approvalPath(name);
  const id = asked.requested.id;
  await expect(apiOf(ada).change('approve', { request: id }, undefined, path)).rejects.toThrow(
    'You requested this change',
  );
  const made = await apiOf(bola).change('approve', { request: id }, undefined, path);
  await expect(apiOf('chidi').change('approve', { request: id }, undefined, path)).rejects.toThrow(
    'already approved this request',
  );
  if (made.kind !== 'done') throw new Error('The change was not made.');
  return made.result;
}

const key = () => ({ organisation: org, env: 'live', label: 'backend' }) as const;

describe('an organisation without an owner', () => {
  test('gets a live key and its first owner from one operator, because nobody else can give them', async () => {
    expect(await apiOf(ada).change('key create', key())).toMatchObject({
      result: { text: expect.stringMatching(/^idv_live_/) },
    });
    const input = { organisation: org, email: OWNER.email, role: 'owner' } as const;
    expect(await apiOf(ada).change('member invite', input)).toMatchObject({ kind: 'done' });
  });

  test('has an owner, so that an earlier invitation by one operator is no longer usable', async () => {
    const ally = { id: 'ally-1', email: 'ally@harmattan.example', name: 'Ally Invented' };
    const { secret } = await deployment.operator.invite(org, ally.email, 'owner');
    await addMember(OWNER, 'owner');
    await expect(accept(ally, secret)).rejects.toMatchObject({ code: 'INVITATION_NOT_USABLE' });
    const { secret: later } = await deployment.operator.invite(org, ally.email, 'owner');
    expect(await accept(ally, later)).toMatchObject({ role: 'owner' });
  });
});

describe('an organisation with an owner', () => {
  beforeEach(() => addMember(OWNER, 'owner'));

  test('gets a live key only from two operators, who are shown it once, and its owner is told', async () => {
    const made = await approved('key create', key());
    expect(made).toMatchObject({
      approvedBy: person(bola),
      request: { requestedBy: person(ada) },
      result: { text: expect.stringMatching(/^idv_live_/), row: { label: 'backend' } },
    });
    expect(mails).toMatchObject([
      { to: OWNER.email, text: expect.stringContaining('the live API key "backend" was created') },
    ]);
    const entries = await deployment.operator.auditTrail({ organisationId: org });
    const { text } = made.result as { text: string };
    expect(JSON.stringify(entries)).not.toContain(text);
  });

  test('is told once that it was approved and suspended', async () => {
    await apiOf(ada).change('org approve', { organisation: org });
    const reason = 'Three complaints, see example.com';
    for (const _ of [1, 2]) await apiOf(ada).change('org suspend', { organisation: org, reason });
    expect(mails.map(({ to, subject }) => [to, subject.split(': ')[1]])).toEqual([
      [OWNER.email, 'live access was approved'],
      [OWNER.email, 'all access to the API was suspended'],
    ]);
    expect(mails[1]?.text).toMatch(
      /"Harmattan Credit" by the operators .*\.\n\nTheir reason: "Three complaints, see example\. com"\.\n\n/,
    );
    expect(mails[0]?.text).not.toContain('reason');
  });

  test('gets a test key from one operator', async () => {
    const made = await apiOf(ada).change('key create', { ...key(), env: 'test' });
    expect(made).toMatchObject({ kind: 'done' });
    expect(mails).toEqual([]);
  });

  test('gets another live key for an old one only from two operators', async () => {
    await approved('key create', key());
    mails = [];
    const input = { organisation: org, key: 'backend', env: 'live', graceSeconds: 0 } as const;
    expect(await approved('key rotate', input)).toMatchObject({ result: { old: { label: 'backend' } } });
    expect(mails).toMatchObject([{ to: OWNER.email, text: expect.stringContaining('was replaced') }]);
  });

  test('has its live key widened only by two operators, and its owner is told what changed', async () => {
    await approved('key create', { ...key(), addressRanges: ['203.0.113.7'] });
    mails = [];
    const input = { organisation: org, key: 'backend', addressRanges: null, scopes: ['verify:*'] };
    expect(await approved('key update', input)).toMatchObject({
      result: {
        before: { addressRanges: ['203.0.113.7'] },
        after: { label: 'backend', scopes: ['verify:*'] },
      },
    });
    expect(mails).toMatchObject([
      { to: OWNER.email, text: expect.stringContaining('was changed: its scopes and IP addresses') },
    ]);
  });

  test('pays another price only after two operators set it, and its owner is told', async () => {
    await deployment.operator.enableServices(org, ['TIN']);
    const price = { organisation: org, service: 'tin-basic', credits: 500 };
    expect(await approved('service set-price', price)).toMatchObject({
      result: { prices: { 'tin-basic': 500 } },
    });
    expect(mails).toMatchObject([
      { to: OWNER.email, text: expect.stringContaining('the price of tin-basic was set to 500 credits') },
    ]);
    // It is the price already.
    expect(await apiOf(ada).change('service set-price', price)).toMatchObject({ kind: 'done' });
    await expect(apiOf(ada).change('service set-price', { ...price, service: 'nin-slip' })).rejects.toThrow(
      'nin-slip is not enabled',
    );
    expect(await deployment.operator.openRequests()).toEqual([]);
    expect(mails).toHaveLength(1);
  });

  test('is told that one operator revoked its live key', async () => {
    await approved('key create', key());
    mails = [];
    await apiOf(ada).change('key revoke', { organisation: org, key: 'backend' });
    expect(mails).toMatchObject([
      { to: OWNER.email, text: expect.stringContaining('"backend" was revoked') },
    ]);
  });

  test('gets another owner only from two operators, and its owner is told', async () => {
    const input = { organisation: org, email: 'Bola@harmattan.example', role: 'owner' } as const;
    await approved('member invite', input);
    expect(mails.map(({ to }) => to)).toEqual(['bola@harmattan.example', OWNER.email]);
  });

  test('loses an owner only by two operators, and both owners are told', async () => {
    const other = { id: 'owner-2', email: 'dayo@harmattan.example', name: 'Dayo Invented' };
    await addMember(other, 'owner');
    mails = [];
    await approved('member remove', { organisation: org, member: other.email });
    expect(mails.map(({ to }) => to).sort()).toEqual([OWNER.email, other.email]);
    for (const { text } of mails) expect(text).toContain('was removed as owner');
  });

  test('keeps its last owner, without a request that could not be approved', async () => {
    const removal = apiOf(ada).change('member remove', { organisation: org, member: OWNER.email });
    await expect(removal).rejects.toThrow('needs an owner');
    expect(await deployment.operator.openRequests()).toEqual([]);
  });

  test('loses a viewer, or a leaked key, by one operator', async () => {
    const viewer = { id: 'viewer-1', email: 'chidi@harmattan.example', name: 'Chidi Invented' };
    await addMember(viewer, 'viewer');
    await approved('key create', key());
    for (const [name, input] of [
      ['member remove', { organisation: org, member: viewer.email }],
      ['key revoke', { organisation: org, key: 'backend' }],
    ] as const)
      expect(await apiOf(ada).change(name, input)).toMatchObject({ kind: 'done' });
  });
});
