import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import type { RegistryProvider, RegistryResult } from '../../shared/registries/port.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { bodyAround, recordAbout } from '../support/registries/any-envelope.ts';
import { startDouble, type TestDouble } from '../support/registries/double.ts';
import {
  BEHAVIOURS,
  type Behaviour,
  type HostileServer,
  startHostileServer,
} from '../support/registries/hostile-server.ts';
import {
  bodyWith,
  envelopeOf,
  HOSTILE_BODIES,
  HOSTILE_LISTS,
  HOSTILE_TEXTS,
  LIST_FIELDS,
  NAME_FIELDS,
} from '../support/registries/hostile-sizes.ts';
import { charactersNormalised } from '../support/registries/normalised.ts';
import { isComplete } from '../support/sample.ts';
import { unsigned } from '../support/sandbox-server.ts';

const CALLS = isComplete ? 500 : 100;
const BUDGET_MS = 400;
const FAILURES = ['not-found', 'failed', 'unreachable', 'timeout'];
const behaviours = Object.keys(BEHAVIOURS) as Behaviour[];

let hostile: HostileServer;
beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.stop());

function adaptersAt(baseUrl: string): RegistryProvider[] {
  const secret = { apiKey: 'k', appId: 'a', clientId: 'c', secret: 's', baseUrl };
  const config = { credentials: async () => secret, allowLocal: true };
  const live = LIVE_PROVIDER_NAMES.map((name) => liveProvider(name, config));
  return [...live, sandboxProvider({ url: baseUrl, secret: async () => 's', sign: unsigned })];
}

function lookUp(provider: RegistryProvider, idType: IdType, deadlineMs: number): Promise<RegistryResult> {
  const { example: number } = numberFormat(idType);
  return provider.lookUp({
    idType,
    number,
    level: 'premium',
    bankCode: '058',
    consent: 'reference',
    names: { firstname: 'SOME', lastname: 'BODY' },
    deadlineMs,
  });
}

test(`${CALLS} random calls to hostile providers all fail in time, and no result contains the number`, async () => {
  const providers = adaptersAt(hostile.baseUrl);
  const seed = Date.now();
  const calls = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { numRuns: CALLS, seed });
  const delaysMs: number[] = [];
  for (const [behaviour, provider, type] of calls) {
    hostile.behaviour = behaviours[behaviour % behaviours.length] ?? 'silence';
    const asked = providers[provider % providers.length];
    const idType = ID_TYPES[type % ID_TYPES.length];
    if (!asked || !idType) throw new Error(`No such call, seed ${seed}`);
    // Most behaviours end at once. The others would make the test long.
    const budgetMs = hostile.behaviour === 'silence' || hostile.behaviour === 'drip' ? 60 : BUDGET_MS;
    const started = Date.now();
    const result = await lookUp(asked, idType, started + budgetMs);
    delaysMs.push(Date.now() - started - budgetMs);
    const context = `${asked.name} ${idType} ${hostile.behaviour}, seed ${seed}`;
    expect([context, FAILURES.includes(result.kind)]).toEqual([context, true]);
    expect(JSON.stringify(result)).not.toContain(numberFormat(idType).example.replace(/^RC/, ''));
  }
  // The margin is for a busy machine. A call without a deadline would never end.
  expect(Math.max(...delaysMs)).toBeLessThan(8_000);
});

test('a record is found if it is complete, but not if it contains a different number or wrong types', async () => {
  let body: unknown;
  const double = await startDouble(({ path }) => ({
    status: 200,
    body: path === '/token' ? { accessToken: 't' } : body,
  }));
  for (const provider of adaptersAt(double.baseUrl)) {
    for (const idType of Object.keys(provider.idTypes) as IdType[]) {
      const { example } = numberFormat(idType);
      const kindFor = async (record: unknown) => {
        body = provider.name === 'paystack' ? { status: true, data: record } : bodyAround(record);
        return (await lookUp(provider, idType, Date.now() + 2_000)).kind;
      };
      const context = `${provider.name} ${idType}`;
      const digits = example.replace(/^RC/, '');
      expect([context, await kindFor(recordAbout(digits))]).toEqual([context, 'found']);
      const invalidRecords = [
        recordAbout(digits.replace(/[0-9]$/, (last) => String((Number(last) + 1) % 10))),
        recordAbout(`${digits}0`),
        recordAbout(`*******${digits.slice(-4)}`),
        Object.fromEntries(Object.keys(recordAbout(digits)).map((name) => [name, { $ne: null }])),
        Object.fromEntries(Object.keys(recordAbout(digits)).map((name) => [name, [digits]])),
        {
          ...recordAbout(digits),
          firstname: ['A'],
          first_name: {},
          firstName: [],
          account_name: {},
          accountName: [],
        },
        {},
        null,
        'text',
        7,
      ];
      for (const record of invalidRecords) {
        const kind = await kindFor(record);
        const isCompany = idType === 'CAC' || idType === 'TIN';
        // Companies and taxpayers have no first names.
        if (isCompany && record === invalidRecords[5]) continue;
        expect([context, JSON.stringify(record), kind]).toEqual([context, JSON.stringify(record), 'failed']);
      }
    }
  }
  await double.stop();
});

describe('a provider that sends more than the service accepts', () => {
  /**
   * More characters than all other fields of a record contain. The texts of 1.9 MB and 2 MB contain at least 300 times
   * as many.
   */
  const FEW_CHARACTERS = 1_000;
  let double: TestDouble;
  let body = '';
  beforeAll(async () => {
    double = await startDouble(({ path }) => ({
      status: 200,
      body: path === '/token' ? { accessToken: 't' } : body,
    }));
  });
  afterAll(() => double.stop());

  /** Returns each provider with each of its ID types, and a record that it would find. */
  function lookUps() {
    return adaptersAt(double.baseUrl).flatMap((provider) =>
      (Object.keys(provider.idTypes) as IdType[]).map((idType) => ({
        provider,
        idType,
        record: recordAbout(numberFormat(idType).example.replace(/^RC/, '')),
      })),
    );
  }
  type LookUp = ReturnType<typeof lookUps>[number];

  /** Returns the result of a look-up whose response has this JSON text in one field. */
  async function resultWith({ provider, idType, record }: LookUp, field: string, json: string) {
    body = bodyWith(provider.name, idType, record, field, json);
    const result = await lookUp(provider, idType, Date.now() + 20_000);
    return result.kind === 'found' ? 'found' : `${result.kind} ${result.detail}`;
  }

  /** Returns the first of these fields that the adapter reads: the one in which `tooLong` exceeds a limit. */
  async function fieldRead(one: LookUp, fields: readonly string[], tooLong: string): Promise<string> {
    for (const field of fields)
      if (/^failed [a-z]+-over-/.test(await resultWith(one, field, tooLong))) return field;
    throw new Error(`${one.provider.name} ${one.idType}: no field of ${fields.join()} has a limit.`);
  }

  test.each(Object.entries(HOSTILE_TEXTS))('%s fails before any work on it', async (_, json) => {
    for (const one of lookUps()) {
      const context = `${one.provider.name} ${one.idType}`;
      const field = await fieldRead(one, NAME_FIELDS, JSON.stringify('A'.repeat(601)));
      let result = '';
      const characters = await charactersNormalised(async () => {
        result = await resultWith(one, field, json);
      });
      const detail = json.startsWith('[') ? 'unexpected-shape' : 'text-over-600';
      expect([context, result]).toEqual([context, expect.stringMatching(`^failed ${detail}:[A-Za-z_.]+$`)]);
      expect(characters).toBeLessThan(FEW_CHARACTERS);
    }
  });

  test.each(Object.entries(HOSTILE_LISTS))('%s fail before any entry is read', async (_, json) => {
    const companies = lookUps().filter(({ idType }) => idType === 'CAC');
    expect(companies.length).toBeGreaterThan(2);
    for (const one of companies) {
      const field = await fieldRead(one, LIST_FIELDS, HOSTILE_LISTS['501 directors'] ?? '');
      let result = '';
      const characters = await charactersNormalised(async () => {
        result = await resultWith(one, field, json);
      });
      expect([one.provider.name, result]).toEqual([
        one.provider.name,
        expect.stringMatching(/^failed list-over-500:[A-Za-z.]+$/),
      ]);
      expect(characters).toBeLessThan(FEW_CHARACTERS);
    }
  });

  test('10,000 records instead of one fail before any of them is read', async () => {
    for (const { provider, idType, record } of lookUps()) {
      const context = `${provider.name} ${idType}`;
      const { rc_number, company_name } = record;
      body = JSON.stringify(
        envelopeOf(provider.name, idType, Array(10_000).fill({ rc_number, company_name })),
      );
      let result: RegistryResult | undefined;
      const characters = await charactersNormalised(async () => {
        result = await lookUp(provider, idType, Date.now() + 20_000);
      });
      expect([context, result?.kind]).toEqual([context, 'failed']);
      expect(characters).toBeLessThan(FEW_CHARACTERS);
    }
  });

  test.each(Object.entries(HOSTILE_BODIES))('%s are not parsed', async (_, json) => {
    const parse = jest.spyOn(JSON, 'parse');
    for (const { provider, idType } of lookUps()) {
      body = json;
      const result = await lookUp(provider, idType, Date.now() + 20_000);
      expect([provider.name, result]).toEqual([
        provider.name,
        expect.objectContaining({ kind: 'failed', detail: 'too-many-values' }),
      ]);
    }
    expect(parse.mock.calls.filter(([text]) => text === json)).toEqual([]);
    parse.mockRestore();
  });

  test('a photo of more than 1,500,000 characters fails', async () => {
    for (const one of lookUps().filter(({ idType }) => idType === 'NIN' || idType === 'BVN')) {
      const photo = JSON.stringify('A'.repeat(1_500_001));
      const context = `${one.provider.name} ${one.idType}`;
      const field = await fieldRead(one, ['photo', 'base64Image', 'image'], photo);
      expect([context, await resultWith(one, field, photo)]).toEqual([
        context,
        expect.stringMatching(/^failed image-over-1500000:[A-Za-z0-9.]+$/),
      ]);
    }
  });
});
