import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '../../shared/core/clock.ts';
import { bundleRunner } from '../ledger/mutation/bundle.ts';
import type { Patch } from '../ledger/mutation/mutant.ts';
import { type Checked, checkMistakes, runChecker } from './run-checker.ts';
import { inventUsage, type UsageMonth } from './usage-month.ts';
import type { MonthOrder } from './write-usage-months.ts';

/**
 * A month of random traffic is counted by the service, and then checked by a program that shares no code with it:
 * usage, statement and log rows agree, request by request. The program also finds planted mistakes and broken counts.
 */

const CHECKER = fileURLToPath(new URL('check-usage/check_usage.py', import.meta.url));
const MONTH = fileURLToPath(new URL('usage-month.ts', import.meta.url));
const WRITER = fileURLToPath(new URL('write-usage-months.ts', import.meta.url));
type Item = Record<string, unknown>;

const directory = mkdtempSync(join(tmpdir(), 'usage-'));
let month: UsageMonth;

beforeAll(async () => {
  month = await inventUsage({ seed: 21, requests: 250, everyHours: 12 });
  write(directory, month.rows);
});
afterAll(() => rmSync(directory, { recursive: true }));

function write(folder: string, tables: UsageMonth['rows']): void {
  for (const [table, items] of Object.entries(tables))
    writeFileSync(join(folder, `${table}.jsonl`), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

const rowsOf = (table: string) => month.rows[table] ?? [];
const isLate = (row: Item) => {
  const atMs = Date.parse(String(row['requestedAt']));
  return row['outcome'] === 'ABANDONED' && atMs < month.nowMs;
};

test('the month has traffic of all kinds', () => {
  const logs = rowsOf('VerificationLogs');
  expect(logs.length).toBeGreaterThan(700);
  expect(logs.filter(({ replayOf }) => replayOf !== undefined).length).toBeGreaterThan(30);
  expect(logs.filter(isLate).length).toBeGreaterThan(20);
  expect(new Set(logs.map(({ outcome }) => outcome)).size).toBe(7);
  // Requests before midnight in Lagos that were charged after it.
  const lagosDay = (time: unknown) => new Date(Date.parse(String(time)) + HOUR_MS).toISOString().slice(0, 10);
  const across = rowsOf('Wallets').filter(
    ({ sk, requestedAt, decidedAt }) => sk === 'CHARGE' && lagosDay(requestedAt) !== lagosDay(decidedAt),
  );
  expect(across.length).toBeGreaterThan(3);
  expect(month.runs.failed).toBeGreaterThan(5);
});

test('usage, statement and log rows agree, request by request', () => {
  const { status, stdout, stderr } = spawnSync('python3', [CHECKER, directory], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Read \d{3,} log rows/);
  expect(status).toBe(0);
});

test('counting again writes no rows of usage', async () => {
  expect(await month.countAgain()).toBe(0);
});

describe('the independent program finds', () => {
  /** Changes the last row that `isMeant` accepts, or removes it if `change` returns undefined. */
  type Mistake = readonly [
    name: string,
    table: string,
    isMeant: (row: Item) => boolean,
    change: (row: Item) => Item | undefined,
    report: RegExp,
  ];
  const raised = (name: string) => (row: Item) => ({ ...row, [name]: Number(row[name]) + 1 });
  const isUsage = ({ requests, service, credits }: Item) =>
    service !== undefined && Number(requests) > 0 && Number(credits) > 0;
  const isCharge = ({ sk, state }: Item) => sk === 'CHARGE' && state === 'CHARGED';
  const isBalance = ({ sk }: Item) => String(sk).startsWith('BALANCE#');
  const isRegistryDay = ({ pk, requests }: Item) =>
    String(pk).startsWith('REGISTRY#') && Number(requests) > 0;

  const MISTAKES: readonly Mistake[] = [
    ['one request too many in a day', 'Console', isUsage, raised('requests'), /: requests is /],
    ['one credit too many in a day', 'Console', isUsage, raised('credits'), /: credits is /],
    ['one replay too many in a day', 'Console', isUsage, raised('replays'), /: replays is /],
    [
      'a row of usage that is missing',
      'Console',
      isUsage,
      () => undefined,
      /the usage that counts it is missing/,
    ],
    [
      'a latency in a different bucket',
      'Console',
      ({ latency, service }) => service !== undefined && Object.keys(Object(latency)).length === 1,
      (row) => ({ ...row, latency: { 0: 1 } }),
      /: latency is /,
    ],
    [
      'a request under a different key',
      'VerificationLogs',
      ({ keyLabel }) => keyLabel !== undefined,
      (row) => ({ ...row, keyLabel: 'other' }),
      /the usage that counts it is missing/,
    ],
    [
      'a charge that disappeared',
      'Wallets',
      isCharge,
      () => undefined,
      /the amount of its statement line is 0/,
    ],
    [
      'a charge with a different amount',
      'Wallets',
      isCharge,
      raised('cost'),
      /the amount of its statement line/,
    ],
    [
      'a log row that disappeared',
      'VerificationLogs',
      ({ creditsCharged }) => Number(creditsCharged) > 0,
      () => undefined,
      /the number of its log rows is 0/,
    ],
    ['a balance that is too high', 'Console', isBalance, raised('balance'), /: balance is /],
    ['a day that used more', 'Console', isBalance, raised('used'), /: used is /],
    ['one registry look-up too many', 'Console', isRegistryDay, raised('requests'), /: look-ups is /],
  ];

  let checked: ReturnType<typeof checkMistakes>;
  beforeAll(() => {
    const plant = ([name, table, isMeant, change]: Mistake) => {
      const rows = rowsOf(table);
      const index = rows.findLastIndex(isMeant);
      const row = rows[index];
      if (!row) throw new Error('No row was meant.');
      const changed = change(row);
      const all = [...rows.slice(0, index), ...(changed ? [changed] : []), ...rows.slice(index + 1)];
      return [name, (copy: string) => write(copy, { [table]: all })] as const;
    };
    checked = checkMistakes(CHECKER, directory, Object.fromEntries(MISTAKES.map(plant)));
  });

  test.each(MISTAKES)('%s', (name, _table, _isMeant, _change, report) => {
    expect(checked.get(name)?.stderr).toMatch(report);
    expect(checked.get(name)?.status).toBe(1);
  });
});

describe('the independent program detects a broken count', () => {
  const SEEDS = [21, 22, 23];
  const patch = (file: string, find: string, replace: string): Patch => ({
    file: `shared/usage/${file}.ts`,
    find,
    replace,
  });

  const VARIANTS: readonly (readonly [name: string, ...Patch[]])[] = [
    [
      'days are UTC days',
      patch(
        'count-requests',
        'lagosDay(Date.parse(request.requestedAt))',
        'request.requestedAt.slice(0, 10)',
      ),
    ],
    [
      'the hour before a UTC day is not read',
      patch('count-days', 'daysBetween(dayPlus(first, -1), last)', 'daysBetween(first, last)'),
    ],
    ['one partition of a day is not read', patch('count-days', 'nowMs).map(', 'nowMs).slice(1).map(')],
    [
      'replays are not counted',
      patch('count-requests', 'if (request.replayOf !== undefined) row.replays += 1;', ''),
    ],
    [
      'replays count as look-ups',
      patch(
        'count-requests',
        "provider !== '' && replayOf === undefined",
        "provider !== '' || replayOf === 'none'",
      ),
    ],
    [
      'requests are added to the stored ones',
      patch(
        'count-days',
        'const names = new Set(counted.map(usageName));',
        'for (const row of counted) row.requests += stored.get(usageName(row))?.requests ?? 0;\n  const names = new Set(counted.map(usageName));',
      ),
    ],
    [
      'stored rows with requests are not updated',
      patch(
        'count-days',
        'isDeepStrictEqual({ ...row, countedAt: stored.countedAt }, stored)',
        'row.requests > 0',
      ),
    ],
    [
      'late rows are not read',
      patch('roll-up-usage', 'const LOOK_BACK_DAYS = 8;', 'const LOOK_BACK_DAYS = 0;'),
    ],
    [
      'only today is counted',
      patch('roll-up-usage', 'earlier(dayPlus(last, -1), dayPlus(today, -1))', 'today'),
      patch('roll-up-usage', 'const LOOK_BACK_DAYS = 8;', 'const LOOK_BACK_DAYS = 0;'),
    ],
    [
      'a run begins with yesterday, whenever the last run was',
      patch('roll-up-usage', 'earlier(dayPlus(last, -1), dayPlus(today, -1))', 'dayPlus(today, -1)'),
      patch('roll-up-usage', 'const LOOK_BACK_DAYS = 8;', 'const LOOK_BACK_DAYS = 1;'),
    ],
    ['the balance of a day ignores its lines', patch('count-days', '    balance = balanceAfter;\n', '')],
    [
      'days without a charge have no balance',
      patch('count-days', 'if (hasBegun) balances', 'if (used > 0) balances'),
    ],
    ['credits count as used', patch('count-days', 'if (debit) used -= amount;', 'used -= amount;')],
    [
      'look-ups of test keys count for registries',
      patch('count-requests', "this.#env === 'live' && ", ''),
      patch('roll-up-usage', "wallets.filter(({ env }) => env === 'live')", 'wallets'),
    ],
    [
      'look-ups of one wallet count for all wallets',
      patch('registry-days', 'const own = shares', 'const own = shares.slice(0, 1)'),
    ],
  ];

  let ofVariants: readonly Checked[];
  let ofCorrect: readonly Checked[];
  beforeAll(async () => {
    const [unmodified = '', ...variants] = await Promise.all(
      [[], ...VARIANTS.map(([_, ...patches]) => patches)].map((patches) => bundleRunner(patches, MONTH)),
    );
    const months = [
      ...SEEDS.map((seed) => ({ variant: unmodified, seed })),
      ...variants.map((variant) => ({ variant, seed: 21 })),
    ];
    const results = checkMonths(months);
    [ofCorrect, ofVariants] = [results.slice(0, SEEDS.length), results.slice(SEEDS.length)];
  });

  function checkMonths(months: readonly Pick<MonthOrder, 'variant' | 'seed'>[]): readonly Checked[] {
    const parent = mkdtempSync(join(tmpdir(), 'usage-'));
    try {
      const orders = months.map(
        (month, position): MonthOrder => ({
          ...month,
          ...{ requests: 60, everyHours: 24, folder: join(parent, String(position)) },
        }),
      );
      execFileSync(process.execPath, [WRITER, JSON.stringify(orders)]);
      return runChecker(
        CHECKER,
        orders.map(({ folder }) => folder),
      );
    } finally {
      rmSync(parent, { recursive: true });
    }
  }

  test.each(VARIANTS.map(([name], position) => [name, position] as const))('%s', (_, position) => {
    expect(ofVariants[position]?.status).toBe(1);
  });

  test('but accepts the correct one', () => {
    expect(ofCorrect).toHaveLength(SEEDS.length);
    for (const result of ofCorrect) expect(result).toMatchObject({ status: 0, stderr: '' });
  });
});
