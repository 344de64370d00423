import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Profile } from '../../../shared/members/rows.ts';
import { checkNumbers } from '../../../shared/profiles/check-numbers.ts';
import { ALWAYS_CLOSED, healthOf } from '../../../shared/registries/breaker.ts';
import { registryStateTable } from '../../../shared/registries/health/registry-state-table.ts';
import { NO_STATES } from '../../../shared/registries/health/state-copies.ts';
import { bankByCode } from '../../../shared/registries/mapping/banks.ts';
import type { RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import { registryRouter } from '../../../shared/registries/router.ts';
import { MemoryStore } from '../../ledger/storage/memory-store.ts';
import { type Instance, instanceOf } from '../../registries/instance.ts';

/** One organisation must not stop the look-ups of others at a provider, but an outage must stop those of all. */

const FOUND = { kind: 'found', record: { nin: '12345670001' } as never } as const;
const NOT_FOUND = { kind: 'not-found', detail: 'none' } as const;
const FAILED = { kind: 'unreachable', detail: 'http-424', maybeBilled: true } as const;
const TIMEOUT = { kind: 'timeout', detail: 'after-sending', maybeBilled: true } as const;
const KEY = { provider: 'one', env: 'live', idType: 'NIN' } as const;
const FAILING = 'A1b2C3d4E5';
const OTHERS = ['B1b2C3d4E5', 'C1b2C3d4E5', 'D1b2C3d4E5', 'E1b2C3d4E5', 'F1b2C3d4E5'];
const ALL = [FAILING, ...OTHERS];

type Counts = { readonly [organisationId: string]: { readonly [result: string]: number } };
interface Request {
  readonly atMs: number;
  readonly by: string;
}

let nowMs: number;
let calls: number;
let client: DynamoDBDocumentClient;
let instances: Instance[];
let answer: (query: RegistryQuery) => RegistryResult;

beforeEach(() => {
  nowMs = 1_700_000_000_000;
  calls = 0;
  const store = new MemoryStore(() => undefined);
  client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: never) => store.apply(command),
  });
  const provider = {
    name: KEY.provider,
    displayName: 'One',
    idTypes: { NIN: ['basic'] as const },
    lookUp: async (query: RegistryQuery) => {
      calls += 1;
      return answer(query);
    },
  };
  const table = { client, tableName: 'ApiKeys' };
  instances = Array.from({ length: 5 }, () => instanceOf(table, [provider], () => nowMs));
});

/** Asks at these times, in milliseconds from now, at one instance after another. Returns how often each result occurred. */
async function askAll(requests: readonly Request[], waitMs = 20_000): Promise<Counts> {
  const startMs = nowMs;
  const counts: Record<string, Record<string, number>> = {};
  const inOrder = requests.toSorted((one, other) => one.atMs - other.atMs);
  for (const [index, { atMs, by }] of inOrder.entries()) {
    nowMs = startMs + atMs;
    const instance = instances[(index * 7 + (index >> 3)) % instances.length] as Instance;
    const { result } = await instance.lookUp({ organisationId: by, deadlineMs: nowMs + waitMs });
    const name = result.kind === 'found' ? 'found' : result.detail;
    counts[by] = { ...counts[by], [name]: (counts[by]?.[name] ?? 0) + 1 };
  }
  return counts;
}

/** Requests of these organisations in turn. */
function every(ms: number, seconds: number, by: readonly string[], fromMs = 37): Request[] {
  return Array.from({ length: Math.floor((seconds * 1_000) / ms) }, (_, index) => ({
    atMs: fromMs + index * ms,
    by: by[index % by.length] as string,
  }));
}

function of(counts: Counts, organisations: readonly string[], result: string): number {
  return organisations.reduce((sum, one) => sum + (counts[one]?.[result] ?? 0), 0);
}

async function state() {
  const [current] = await registryStateTable(client, 'ApiKeys').getStates([KEY]);
  if (!current) throw new Error('The provider has no state.');
  return current;
}

const failsFor = (some: readonly string[]) => {
  answer = ({ organisationId = '' }) => (some.includes(organisationId) ? FAILED : FOUND);
};

describe('one organisation', () => {
  test('S96: look-ups that fail nine times a second, to stop those of other organisations', async () => {
    failsFor([FAILING]);
    const counts = await askAll([...every(111, 120, [FAILING]), ...every(500, 120, OTHERS)]);

    expect(of(counts, OTHERS, 'found')).toBe(240);
    expect(of(counts, [FAILING], 'breaker-open')).toBeGreaterThan(500);
    expect(healthOf(await state(), nowMs)).toBe('degraded');
  });

  test('does not stop those of one other, of which some fail too', async () => {
    let others = 0;
    answer = ({ organisationId }) => {
      if (organisationId === FAILING) return FAILED;
      others += 1;
      return others % 7 === 0 ? FAILED : FOUND;
    };
    const one = OTHERS.slice(0, 1);
    const counts = await askAll([...every(111, 120, [FAILING]), ...every(2_500, 120, one)]);

    expect(of(counts, one, 'breaker-open')).toBe(0);
  });

  test('does not stop those of others with 30 failures at once, after two of them failed now and then', async () => {
    instances = instances.slice(0, 1);
    failsFor(OTHERS.slice(0, 2));
    await askAll([...every(400, 9, OTHERS.slice(2)), ...every(1, 0.002, OTHERS, 9_000)]);
    failsFor([FAILING]);
    const counts = await askAll([...every(1, 0.03, [FAILING]), ...every(400, 20, OTHERS, 400)]);

    expect(of(counts, OTHERS, 'breaker-open')).toBe(0);
  });

  test('does not get the probe that others need after an outage', async () => {
    failsFor(ALL);
    await askAll(every(100, 20, ALL));
    expect(await state()).toMatchObject({ breaker: 'open', organisations: { size: 3 } });
    failsFor([FAILING]);
    const counts = await askAll([...every(111, 60, [FAILING]), ...every(500, 60, OTHERS)]);

    expect(of(counts, OTHERS, 'breaker-open')).toBeLessThan(15);
  });
});

describe('an outage', () => {
  test('opens the breaker for all within 20 look-ups, even for an organisation that has not asked', async () => {
    failsFor([...ALL, 'G1b2C3d4E5']);
    await askAll(every(50, 10, ALL));

    expect(calls).toBe(20);
    expect(await askAll([{ atMs: 0, by: 'G1b2C3d4E5' }])).toEqual({ G1b2C3d4E5: { 'breaker-open': 1 } });
    expect(healthOf(await state(), nowMs)).toBe('down');
  });

  test('in a quiet hour opens the breaker for the only organisation that asks, and for another after one look-up', async () => {
    failsFor(ALL);
    await askAll(every(1_500, 9, [FAILING]));
    expect(await state()).toMatchObject({ breaker: 'open' });
    const counts = await askAll(every(100, 1, OTHERS.slice(0, 1)));

    expect(counts).toEqual({ [OTHERS[0] as string]: { 'http-424': 1, 'breaker-open': 9 } });
    await askAll(every(1_500, 800, [FAILING]));
    expect(healthOf(await state(), nowMs)).toBe('degraded');
    await askAll(every(1_500, 150, [FAILING]));
    expect(healthOf(await state(), nowMs)).toBe('down');
  });

  test('ends for all with the first response', async () => {
    failsFor(ALL);
    await askAll(every(50, 10, ALL));
    failsFor([]);
    const counts = await askAll([...every(500, 15, ALL, 1_000)]);

    expect(of(counts, ALL, 'breaker-open')).toBeLessThan(10);
    expect(await state()).not.toHaveProperty('organisations');
  });
});

describe('a timeout', () => {
  const times = every(100, 10, ALL);

  test.each([
    ['within less than 1 s says nothing about the provider', 999, 100],
    ['after 1 s counts', 1_000, 20],
  ])('%s', async (_, waitMs, asked) => {
    answer = () => TIMEOUT;
    await askAll(times, waitMs);

    expect(calls).toBe(asked);
  });
});

describe('accounts at banks that one organisation asked without success, and at all others', () => {
  const failed = ['011', '033', '044', '057', '058'];

  test.each([
    [['070', '214'], 'found'],
    [['070', '058'], 'breaker-open'],
  ])('without a named bank, an account that may be at %j is %s', async (codes, expected) => {
    const open = { ...ALWAYS_CLOSED, breaker: 'open', sinceMs: nowMs, probedAtMs: nowMs } as const;
    const router = registryRouter({
      routing: { NUBAN: ['one'] },
      makeProvider: () => ({
        name: 'one',
        displayName: 'One',
        idTypes: { NUBAN: ['basic'] },
        hasFreeNameEnquiry: true,
        lookUp: async ({ bankCode }) => (bankCode === codes[0] ? FOUND : NOT_FOUND),
      }),
      recorder: { beginRead: () => NO_STATES, record: async () => undefined, takeProbe: async () => true },
      nowMs: () => nowMs,
    });
    const query = {
      idType: 'NUBAN',
      number: '0123456789',
      level: 'basic',
      deadlineMs: nowMs + 9_000,
    } as const;
    const banks = codes.flatMap((code) => bankByCode(code) ?? []);
    const states = () => ({ ...open, banks: new Set(failed) });
    const { result } = await router.lookUpAtBanks('live', query, banks, states, () => undefined);

    expect(result.kind === 'found' ? result.kind : result.detail).toBe(expected);
  });
});

test('failed look-ups of profiles do not make a provider unhealthy', async () => {
  answer = () => (calls % 2 === 0 ? FAILED : TIMEOUT);
  const lookUp = (_: unknown, { isOfProfile = false }: RegistryQuery) =>
    (instances[0] as Instance).lookUp({ isOfProfile });
  for (let submission = 0; submission < 9; submission += 1) {
    const organisation = { id: ALL[submission % 3] as string, name: 'Kainji Pay' };
    const numbers = { companyNumber: 'RC1234567', taxCheck: { result: 'FOUND' } } as Profile;
    await checkNumbers({ organisation, personId: 'p', requestId: 'r' }, numbers, {
      lookUps: { takeChecks: async () => true, insertLookUp: async () => true, setResult: async () => true },
      pepper: async () => ({ current: 'a pepper of tests' }),
      registries: { providerKeys: () => [], lookUp },
      states: { getStates: async () => [] },
      nowMs: () => nowMs,
      timeoutMs: 20_000,
      onAttempt: () => undefined,
    });
    nowMs += 1_000;
  }

  expect(calls).toBe(9);
  expect(healthOf(await state(), nowMs)).toBe('up');
  answer = () => FOUND;
  expect(await askAll([{ atMs: 0, by: 'D1' }])).toEqual({ D1: { found: 1 } });
});

test('the row names at most three organisations', async () => {
  answer = () => FAILED;
  const ids = Array.from({ length: 300 }, (_, index) => `${index}`);
  await askAll(every(1_000, 300, ids));

  expect((await state()).organisations).toEqual(new Set(['0', '1', '2']));
});
