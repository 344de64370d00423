import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { numberLookUpsPk, organisationKey } from '../../shared/core/keys.ts';
import type { Membership, Profile } from '../../shared/members/rows.ts';
import { MOST_CHECKS, MOST_CHECKS_OF_STAGE } from '../../shared/profiles/check-numbers.ts';
import { numberLookUpTable } from '../../shared/profiles/number-look-up-table.ts';
import { profileTable } from '../../shared/profiles/profile-table.ts';
import { submitProfile } from '../../shared/profiles/submit-profile.ts';
import { type ProfileUpdate, updateProfile } from '../../shared/profiles/update-profile.ts';
import type { RegistryQuery, RegistryRecord, RegistryResult } from '../../shared/registries/port.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import type { StateTable } from '../registries/local-state-table.ts';
import { consoleTeam, newPerson, openConsoleTables } from '../support/console-team.ts';

/** Profiles in DynamoDB Local, with invented registries. */

const PEPPER = { current: 'a pepper of tests' };
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
let results: Readonly<Record<string, RegistryResult['kind']>> = {};
let taxpayer: Readonly<Record<string, string>> = {};
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
  taxpayer = { name: 'KAINJI PAY LTD', business_type: 'Company', rc_number: '' };
  nowMs = START_MS;
  version = 0;
  owner = await team.organisationOf(newPerson());
});

const code = (expected: string) => expect.objectContaining({ code: expected });

function profiles() {
  const { client, tableName } = tables;
  const run = { actor: 'member:ada', action: 'organisation update', commandId: newOperationId(nowMs) };
  const recorder = auditRecorder(team.audit, run, () => nowMs);
  return profileTable(client, { console: tableName, apiKeys: tableName }, recorder, () => nowMs);
}

const lookUps = () => numberLookUpTable(tables.client, tables.tableName);
const read = () => profiles().getProfile(owner.organisationId);

async function lookUpRows(): Promise<Row[]> {
  const { Items = [] } = await tables.client.send(
    new QueryCommand({
      TableName: tables.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': numberLookUpsPk(owner.organisationId) },
    }),
  );
  return Items;
}

async function lookUp({ idType, number }: RegistryQuery): Promise<RegistryResult> {
  lookedUp.push(number);
  const kind = results[idType] ?? 'found';
  if ((kind as string) === 'interrupted') throw new Error('interrupted');
  if (kind !== 'found') return { kind, detail: 'invented' };
  const record = idType === 'CAC' ? { companyName: 'KAINJI PAY LTD' } : { tin: number, ...taxpayer };
  return { kind, record: record as unknown as RegistryRecord };
}

interface SaveOptions extends Partial<Pick<ProfileUpdate, 'version'>> {
  readonly status?: 'PENDING' | 'APPROVED';
}

async function save(change: Partial<typeof ENTERED> = {}, options: SaveOptions = {}): Promise<Profile> {
  const saved = await updateProfile(
    {
      organisation: { id: owner.organisationId, status: options.status ?? 'PENDING' },
      entered: { ...ENTERED, ...change },
      version: options.version ?? version,
    },
    profiles(),
    nowMs,
  );
  version = saved.version;
  return saved;
}

interface SubmitOptions {
  readonly accepted?: string;
  readonly version?: number;
  readonly status?: 'PENDING' | 'APPROVED';
  readonly personId?: string;
}

let requests = 0;

async function submit(options: SubmitOptions = {}): Promise<Profile> {
  requests += 1;
  const submission = {
    organisation: { id: owner.organisationId, name: 'Kainji Pay', status: options.status ?? 'PENDING' },
    personId: options.personId ?? owner.personId,
    accepted: options.accepted ?? '2026-10',
    inForce: '2026-10',
    version: options.version ?? version,
    requestId: `req_${String(requests).padStart(12, '0')}`,
  };
  try {
    return await submitProfile(submission, {
      profiles: profiles(),
      lookUps: lookUps(),
      pepper: async () => PEPPER,
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
    });
  } finally {
    version = (await read())?.version ?? 0;
  }
}

describe('saving a profile', () => {
  test('stores what was entered, and looks nothing up', async () => {
    expect(await save()).toMatchObject({ ...ENTERED, version: 1 });
    expect(await read()).toMatchObject({ ...ENTERED, version: 1 });
    expect(lookedUp).toEqual([]);
    expect(await lookUpRows()).toEqual([]);
  });

  test('ends a submission if a number changes, and then keeps only the check of the other number', async () => {
    await save();
    const submitted = await submit();
    // The address and the contacts do not concern the approval.
    const { submittedAt } = await save({ address: ['elsewhere'] });
    expect(submittedAt).toBe(submitted.submittedAt);

    const changed = await save({ companyNumber: 'RC7654321' });
    expect(changed).not.toHaveProperty('companyCheck');
    expect(changed).toMatchObject({ taxCheck: submitted.taxCheck, expiresAt: expect.any(Number) });
    for (const name of ['submittedAt', 'submittedBy', 'terms']) expect(changed).not.toHaveProperty(name);
    lookedUp = [];
    expect(await submit()).toMatchObject({ submittedAt: expect.any(String), taxCheck: submitted.taxCheck });
    expect(lookedUp).toEqual(['RC7654321']);
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
    await submit();
    nowMs += 1;
    await save({ privacyContact: { name: 'Ngozi Invented', email: 'ngozi@kainji.example' } });
    const entries = await team.audit.listEntries(owner.organisationId);
    expect(entries[0]).toMatchObject({ target: 'profile', after: { changed: ['privacyContact'] } });
    const text = JSON.stringify(entries);
    for (const value of ['Invented', '@', '1234567', '12345678']) expect(text).not.toContain(value);
  });
});

describe('a draft', () => {
  const readAfter = async (days: number) => {
    nowMs += days * DAY_MS;
    return read();
  };

  test('expires 90 days after its last change, and can be replaced before DynamoDB has deleted it', async () => {
    await save();
    nowMs += 89 * DAY_MS;
    await save({ address: ['elsewhere'] });
    expect(await readAfter(89)).toMatchObject({ address: ['elsewhere'] });
    expect(await readAfter(1)).toBeUndefined();
    expect(await profiles().getProfiles([owner.organisationId])).toEqual(new Map());
    expect(await save({}, { version: 0 })).toMatchObject({ ...ENTERED, version: 1 });
  });

  test('whose number was not found expires too', async () => {
    results = { CAC: 'not-found' };
    await save();
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    expect(await readAfter(90)).toBeUndefined();
  });

  test.each([
    ['it is submitted', submit],
    ['its organisation is approved', () => profiles().keepProfile(owner.organisationId)],
    ['it is saved after the approval', () => save({}, { status: 'APPROVED' })],
  ])('no longer expires once %s', async (_, change) => {
    await save();
    await change();
    expect(await readAfter(1000)).toMatchObject(ENTERED);
    expect(await profiles().keepProfile(owner.organisationId)).toBe(false);
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
    expect(await read()).toEqual(submitted);
    await expect(submit()).rejects.toEqual(code('ALREADY_SUBMITTED'));
    expect(
      await organisationTable(tables.client, tables.tableName).getOrganisation(owner.organisationId),
    ).toMatchObject({ status: 'PENDING' });
  });

  test('looks up both numbers, and leaves a row with the tag of each, which is kept for 365 days', async () => {
    await save();
    await submit();
    expect(lookedUp.sort()).toEqual(['12345678-0001', 'RC1234567']);
    const scope = { env: 'live', organisationId: owner.organisationId } as const;
    const rows = await lookUpRows();
    const row = {
      result: 'FOUND',
      personId: owner.personId,
      reason: 'organisation submit',
      lookedUpAt: new Date(START_MS).toISOString(),
      expiresAt: (START_MS + 365 * DAY_MS) / 1000,
    };
    for (const [idType, number] of [
      ['CAC', 'RC1234567'],
      ['TIN', '12345678-0001'],
    ] as const) {
      const [tag] = numberTags(PEPPER, scope, idType, number);
      const sk = expect.stringMatching(new RegExp(`^${tag.replace('.', '[.]')}#req_\\d{12}$`));
      expect(rows).toContainEqual(expect.objectContaining({ ...row, idType, sk }));
    }
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/KAINJI|1234567/i);
  });

  test('records a look-up before the registry is called, so that an interrupted one has a row too', async () => {
    await save();
    results = { CAC: 'interrupted' as 'failed' };
    await expect(submit()).rejects.toThrow('interrupted');
    let rows = await lookUpRows();
    // The other look-up may still be running.
    while (rows.some(({ idType, result }) => idType === 'TIN' && result === 'STARTED'))
      rows = await lookUpRows();
    expect(rows.map(({ idType, result }) => [idType, result]).sort()).toEqual([
      ['CAC', 'STARTED'],
      ['TIN', 'FOUND'],
    ]);
  });

  test.each([
    ['a company', { business_type: 'Company' }, { name: 'KAINJI PAY LTD', isNameEqual: true }],
    [
      'a company, by its number',
      { business_type: '', rc_number: 'RC-1' },
      { name: 'KAINJI PAY LTD', isNameEqual: true },
    ],
    ['a company with another name', { name: 'OTHER PAY LTD' }, { name: 'OTHER PAY LTD', isNameEqual: false }],
    ['an individual', { business_type: 'INDIVIDUAL' }, {}],
    ['a business name', { business_type: 'BUSINESS_NAME', rc_number: 'BN123' }, {}],
    ['nobody in particular', { business_type: '' }, {}],
  ])(
    'stores the registered name only if the tax number is that of a company: %s',
    async (_, record, stored) => {
      taxpayer = { ...taxpayer, ...record };
      await save();
      const { taxCheck } = await submit();
      const { checkedAt, requestId } = taxCheck ?? {};
      expect(taxCheck).toEqual({ result: 'FOUND', checkedAt, requestId, ...stored });
    },
  );

  test('requires a profile whose numbers were found or could not be looked up, the current terms and the current version', async () => {
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    results = { CAC: 'not-found' };
    await save();
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    const unknown = await read();
    expect(unknown).toMatchObject({ companyCheck: { result: 'NOT_FOUND' }, taxCheck: { result: 'FOUND' } });
    expect(unknown).not.toHaveProperty('submittedAt');
    results = { CAC: 'unreachable' };
    await save({ companyNumber: 'RC8' });
    await expect(submit({ accepted: '2025-01' })).rejects.toEqual(code('CHANGED_MEANWHILE'));
    await expect(submit({ version: version - 1 })).rejects.toEqual(code('CHANGED_MEANWHILE'));
    await expect(submit({ status: 'APPROVED' })).rejects.toEqual(code('ALREADY_SUBMITTED'));
    lookedUp = [];
    const submitted = await submit();
    expect(submitted).toMatchObject({ companyCheck: { result: 'UNAVAILABLE' }, submittedBy: owner.personId });
    expect(lookedUp).toEqual(['RC8']);
  });

  test('looks up at most five numbers a day for one person, in all organisations together', async () => {
    await save();
    await submit();
    const { personId } = owner;
    owner = await team.organisationOf(newPerson());
    version = 0;
    await save();
    await submit({ personId });
    await save({ companyNumber: 'RC4' });
    await submit({ personId });
    const before = await save({ companyNumber: 'RC5' });
    lookedUp = [];
    await expect(submit({ personId })).rejects.toEqual(code('CHECK_LIMIT_REACHED'));
    expect(lookedUp).toEqual([]);
    expect(await read()).toEqual(before);
    nowMs += DAY_MS;
    expect(await submit({ personId })).toMatchObject({ companyCheck: { result: 'FOUND' } });
  });

  test('never exceeds the daily number of look-ups, even if many profiles are submitted at once', async () => {
    const take = () => lookUps().takeChecks(owner.personId, '2026-11-22', 1, MOST_CHECKS);
    const taken = await Promise.all(Array.from({ length: 12 }, take));
    expect(taken.filter(Boolean)).toHaveLength(MOST_CHECKS);
  });

  test('calls no registry if all people together have too few look-ups left for the day', async () => {
    nowMs = Date.parse('2026-12-05T12:00:00Z');
    const all = MOST_CHECKS_OF_STAGE;
    expect(await lookUps().takeChecks(undefined, '2026-12-05', all - 1, all)).toBe(true);
    await save();
    const unchecked = { companyCheck: { result: 'UNAVAILABLE' }, taxCheck: { result: 'UNAVAILABLE' } };
    expect(await submit()).toMatchObject({ ...unchecked, submittedAt: expect.any(String) });
    expect(lookedUp).toEqual([]);
    expect(await lookUpRows()).toEqual([]);
  });

  test('records which numbers were found, but neither numbers nor names', async () => {
    results = { TIN: 'not-found' };
    await save();
    nowMs += 1;
    await expect(submit()).rejects.toEqual(code('PROFILE_INCOMPLETE'));
    const entries = await team.audit.listEntries(owner.organisationId);
    expect(entries[0]).toMatchObject({
      after: { submittedAt: null, companyCheck: 'FOUND', taxCheck: 'NOT_FOUND' },
    });
    expect(JSON.stringify(entries)).not.toMatch(/KAINJI|1234567/i);
  });
});
