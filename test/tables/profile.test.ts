import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { profileTable } from '../../shared/console/profile-table.ts';
import type { Membership, Profile } from '../../shared/console/rows.ts';
import { submitProfile } from '../../shared/console/submit-profile.ts';
import {
  MOST_CHECKS,
  MOST_CHECKS_OF_STAGE,
  type ProfileUpdate,
  updateProfile,
} from '../../shared/console/update-profile.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { organisationKey } from '../../shared/core/keys.ts';
import type { RegistryQuery, RegistryRecord, RegistryResult } from '../../shared/registries/port.ts';
import type { StateTable } from '../registries/local-state-table.ts';
import { consoleTeam, newPerson, openConsoleTables } from '../support/console-team.ts';

/** Profiles in DynamoDB Local, with invented registries. */

const START_MS = Date.parse('2026-11-21T12:00:00Z');
const ENTERED = {
  companyNumber: 'RC1234567',
  taxNumber: '12345678-0001',
  address: ['1 Invented Way', 'Lagos'],
  billingContact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
  privacyContact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
};

let nowMs = START_MS;
let tables: StateTable;
let team: ReturnType<typeof consoleTeam>;
/** The numbers that were looked up, in order. */
let lookedUp: string[] = [];
/** The kind of result that the registries return, by ID type. */
let results: Readonly<Record<string, RegistryResult['kind']>> = {};
let owner: Membership;
let version = 0;
beforeAll(async () => {
  tables = await openConsoleTables();
  team = consoleTeam(tables, () => nowMs);
});
afterAll(() => tables.close());
beforeEach(async () => {
  lookedUp = [];
  results = {};
  nowMs = START_MS;
  version = 0;
  owner = await team.organisationOf(newPerson());
});

const code = (expected: string) => expect.objectContaining({ code: expected });

function profiles() {
  const { client, tableName } = tables;
  const run = { actor: 'member:ada', action: 'organisation update', commandId: newOperationId(nowMs) };
  const recorder = auditRecorder(team.audit, run, () => nowMs);
  return profileTable(client, { console: tableName, apiKeys: tableName }, recorder);
}

async function lookUp({ idType, number }: RegistryQuery): Promise<RegistryResult> {
  lookedUp.push(number);
  const kind = results[idType] ?? 'found';
  if (kind !== 'found') return { kind, detail: 'invented' };
  const record =
    idType === 'CAC' ? { companyName: 'KAINJI PAY LTD' } : { tin: number, name: 'KAINJI PAY LTD' };
  return { kind, record: record as unknown as RegistryRecord };
}

async function save(
  change: Partial<typeof ENTERED> = {},
  options: Partial<Pick<ProfileUpdate, 'version'>> & { status?: 'PENDING' | 'APPROVED' } = {},
): Promise<Profile> {
  const saved = await updateProfile(
    {
      organisation: { id: owner.organisationId, status: options.status ?? 'PENDING' },
      entered: { ...ENTERED, ...change },
      version: options.version ?? version,
      requestId: 'req_0123456789ab',
    },
    {
      profiles: profiles(),
      registries: {
        providerKeys: () => [],
        lookUp: async (_env, query) => ({
          result: await lookUp(query),
          provider: { name: 'invented', displayName: 'Invented' },
          failedProviders: [],
        }),
      },
      states: { getStates: async () => [] },
      nowMs: () => nowMs,
      timeoutMs: 1_000,
      onAttempt: () => undefined,
    },
  );
  version = saved.version;
  return saved;
}

const submit = (change: { accepted?: string; version?: number; status?: 'PENDING' | 'APPROVED' } = {}) =>
  submitProfile(
    {
      organisation: { id: owner.organisationId, status: change.status ?? 'PENDING' },
      personId: owner.personId,
      accepted: change.accepted ?? '2026-10',
      inForce: '2026-10',
      version: change.version ?? version,
    },
    profiles(),
    nowMs,
  );

describe('saving a profile', () => {
  test('looks up both numbers at first, and then only those that changed', async () => {
    expect(await save()).toMatchObject({
      ...ENTERED,
      version: 1,
      companyCheck: { number: 'RC1234567', result: 'FOUND', name: 'KAINJI PAY LTD' },
      taxCheck: { number: '12345678-0001', result: 'FOUND', name: 'KAINJI PAY LTD' },
    });
    expect(lookedUp.sort()).toEqual(['12345678-0001', 'RC1234567']);

    lookedUp = [];
    await save({ address: ['2 Invented Way'] });
    expect(lookedUp).toEqual([]);
    expect(await save({ companyNumber: 'RC7654321' })).toMatchObject({
      companyCheck: { number: 'RC7654321' },
      taxCheck: { number: '12345678-0001', checkedAt: new Date(START_MS).toISOString() },
    });
    expect(lookedUp).toEqual(['RC7654321']);
  });

  test('stores a number that was not found, with its check', async () => {
    results = { CAC: 'not-found', TIN: 'timeout' };
    const saved = await save();
    expect(saved).toMatchObject({ companyNumber: 'RC1234567', companyCheck: { result: 'NOT_FOUND' } });
    expect(saved.taxCheck).toMatchObject({ result: 'UNAVAILABLE' });
    expect(await profiles().getProfile(owner.organisationId)).toEqual(saved);
  });

  test('repeats a check whose registry was unavailable', async () => {
    results = { TIN: 'unreachable' };
    await save();
    results = {};
    lookedUp = [];
    expect((await save()).taxCheck).toMatchObject({ result: 'FOUND' });
    expect(lookedUp).toEqual(['12345678-0001']);
  });

  test('looks up at most five numbers a day and rejects a change that needs a sixth look-up', async () => {
    await save();
    for (const number of ['RC1', 'RC2', 'RC3']) await save({ companyNumber: number });
    const before = await profiles().getProfile(owner.organisationId);
    lookedUp = [];
    await expect(save({ companyNumber: 'RC4', address: ['elsewhere'] })).rejects.toEqual(
      code('CHECK_LIMIT_REACHED'),
    );
    expect(lookedUp).toEqual([]);
    expect(await profiles().getProfile(owner.organisationId)).toEqual(before);
    // The profile can still be saved without a changed number.
    expect(await save({ companyNumber: 'RC3', address: ['elsewhere'] })).toMatchObject({
      address: ['elsewhere'],
    });
    nowMs = START_MS + 24 * 3_600_000;
    expect(await save({ companyNumber: 'RC4' })).toMatchObject({ companyCheck: { number: 'RC4' } });
  });

  test('never exceeds the daily number of checks, even if many numbers change at once', async () => {
    const day = '2026-11-22';
    const taken = await Promise.all(
      Array.from({ length: 12 }, () => profiles().takeChecks(owner.organisationId, day, 1, MOST_CHECKS)),
    );
    expect(taken.filter(Boolean)).toHaveLength(MOST_CHECKS);
    expect(await profiles().countChecks(owner.organisationId, day)).toBe(MOST_CHECKS);
  });

  test('calls no registry if all organisations together have too few look-ups left for the day', async () => {
    nowMs = Date.parse('2026-12-05T12:00:00Z');
    const all = MOST_CHECKS_OF_STAGE;
    expect(await profiles().takeChecks(undefined, '2026-12-05', all - 1, all)).toBe(true);
    const unchecked = { companyCheck: { result: 'UNAVAILABLE' }, taxCheck: { result: 'UNAVAILABLE' } };
    expect(await save()).toMatchObject({ ...ENTERED, ...unchecked });
    expect(lookedUp).toEqual([]);
    const submitted = await submit();
    expect(submitted.submittedAt).toBeDefined();

    nowMs = Date.parse('2026-12-06T12:00:00Z');
    expect(await save({}, { version: submitted.version })).toMatchObject({
      companyCheck: { result: 'FOUND' },
      taxCheck: { result: 'FOUND' },
    });
  });

  test('still works when repeated checks of an unavailable registry have used up the checks of the day', async () => {
    results = { TIN: 'unreachable' };
    await save();
    await save();
    await save();
    await save();
    lookedUp = [];
    expect(await save({ address: ['elsewhere'] })).toMatchObject({ taxCheck: { result: 'UNAVAILABLE' } });
    expect(lookedUp).toEqual([]);
  });

  test('fails if someone else has saved it in the meantime', async () => {
    await save();
    await expect(save({}, { version: 0 })).rejects.toEqual(code('CHANGED_MEANWHILE'));
    const both = [save({ address: ['first'] }), save({ address: ['second'] })];
    const states = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(states.sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('of an approved organisation cannot change its numbers', async () => {
    await save();
    const approved = { status: 'APPROVED' } as const;
    await expect(save({ companyNumber: 'RC9' }, approved)).rejects.toEqual(code('NUMBERS_FIXED'));
    await expect(save({ taxNumber: '1234567890' }, approved)).rejects.toEqual(code('NUMBERS_FIXED'));
    expect(await save({ address: ['elsewhere'] }, approved)).toMatchObject({ address: ['elsewhere'] });
  });

  test('changes no number of an organisation that is approved at the same time', async () => {
    await save();
    await tables.client.send(
      new UpdateCommand({
        TableName: tables.tableName,
        Key: organisationKey(owner.organisationId),
        UpdateExpression: 'SET #status = :approved',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':approved': 'APPROVED' },
      }),
    );
    // The request read the organisation before it was approved.
    await expect(save({ companyNumber: 'RC9' })).rejects.toEqual(code('CHANGED_MEANWHILE'));
  });

  test('is recorded without names, addresses or numbers', async () => {
    await save();
    nowMs += 1;
    await save({ privacyContact: { name: 'Ngozi Invented', email: 'ngozi@kainji.example' } });
    const entries = await team.audit.listEntries(owner.organisationId);
    expect(entries[0]).toMatchObject({ target: 'profile', after: { changed: ['privacyContact'] } });
    const text = JSON.stringify(entries);
    for (const value of ['Invented', '@', '1234567', '12345678']) expect(text).not.toContain(value);
  });
});

describe('submitting an organisation', () => {
  test('accepts the terms and sets the time of submission, once', async () => {
    await save();
    const submitted = await submit();
    expect(submitted).toMatchObject({
      terms: { version: '2026-10', acceptedBy: owner.personId },
      submittedAt: new Date(START_MS).toISOString(),
      submittedBy: owner.personId,
    });
    version = submitted.version;
    await expect(submit()).rejects.toEqual(code('ALREADY_SUBMITTED'));
    // The profile can still be changed and remains submitted.
    expect(await save({ companyNumber: 'RC7' })).toMatchObject({ submittedAt: submitted.submittedAt });
    expect(
      await organisationTable(tables.client, tables.tableName).getOrganisation(owner.organisationId),
    ).toMatchObject({ status: 'PENDING' });
  });

  test('requires a profile whose numbers were found or could not be looked up, the current terms and the current version', async () => {
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    results = { CAC: 'not-found' };
    await save();
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    results = { TIN: 'unreachable' };
    await save({ companyNumber: 'RC8' });
    await expect(submit({ accepted: '2025-01' })).rejects.toEqual(code('CHANGED_MEANWHILE'));
    await expect(submit({ version: version - 1 })).rejects.toEqual(code('CHANGED_MEANWHILE'));
    await expect(submit({ status: 'APPROVED' })).rejects.toEqual(code('ALREADY_SUBMITTED'));
    expect(await submit()).toMatchObject({ submittedBy: owner.personId });
  });
});
