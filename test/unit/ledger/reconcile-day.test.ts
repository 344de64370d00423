import { describe, expect, test } from '@jest/globals';
import { dayPlus } from '../../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import { shardKey } from '../../../shared/core/keys.ts';
import {
  type DailyReport,
  type DailySettings,
  type DailySource,
  reconcileDay,
} from '../../../shared/ledger/reconcile/reconcile-day.ts';
import type { Difference } from '../../../shared/ledger/reconcile/rows.ts';
import { newHead, type ReconciliationRun, type SealHead } from '../../../shared/ledger/reconcile/seal.ts';
import { statementKeys } from '../../../shared/ledger/statement/statement.ts';
import { logIndexKeys } from '../../../shared/verifications/listed-log.ts';
import {
  type ExportedTables,
  exportedSource,
  type Item,
  MemorySeals,
  reconcileExport,
} from '../../reconcile/exported-tables.ts';
import {
  holdOf,
  idempotencyRow,
  isOf,
  NOW_MS,
  operationId,
  requestRows,
  rowsOf,
  WALLET,
} from '../../reconcile/invented-rows.ts';

/** Tests which differences the daily reconciliation finds in a few rows, before and after their days are sealed. */

const PK = `${WALLET.env}#${WALLET.organisationId}`;

class Daily {
  readonly seals = new MemorySeals();
  nowMs = NOW_MS;
  tables: ExportedTables;
  readonly createdAt: string;
  wrap: (source: DailySource) => DailySource = (source) => source;
  pauses: number[] = [];
  /** Selects the sealed day that each run verifies in addition, from 0 (the first) to 1. */
  random = 0.5;

  constructor(tables: ExportedTables, daysOld = 20) {
    this.tables = tables;
    this.createdAt = new Date(NOW_MS - daysOld * DAY_MS).toISOString();
  }

  async run(settings: Partial<DailySettings> = {}): Promise<DailyReport & { found: Difference[] }> {
    const found: Difference[] = [];
    const source = this.wrap(
      exportedSource(
        () => createdAt(this.tables, this.createdAt),
        () => this.nowMs,
        this.seals,
      ),
    );
    const clock = {
      nowMs: () => this.nowMs,
      pause: async (ms: number) => void this.pauses.push(ms),
      random: () => this.random,
    };
    const all = { logRetentionDays: 365, endsAtMs: Number.POSITIVE_INFINITY, isForced: false, ...settings };
    const report = await reconcileDay(source, all, clock, (some) => found.push(...some));
    return { ...report, found };
  }

  /** Runs a day after the previous run. */
  async runNextDay(settings: Partial<DailySettings> = {}) {
    this.nowMs += DAY_MS;
    return this.run(settings);
  }

  change(each: (item: Item) => Item | undefined): void {
    const changed = (items: readonly Item[]) =>
      items.map(each).filter((item): item is Item => item !== undefined);
    this.tables = { ...this.tables, wallets: changed(this.tables.wallets), logs: changed(this.tables.logs) };
  }

  add(rows: { readonly wallets?: readonly Item[]; readonly logs?: readonly Item[] }): void {
    const { wallets, logs } = this.tables;
    this.tables = {
      ...this.tables,
      wallets: [...wallets, ...(rows.wallets ?? [])],
      logs: [...logs, ...(rows.logs ?? [])],
    };
  }
}

function createdAt(tables: ExportedTables, time: string): ExportedTables {
  return { ...tables, apiKeys: tables.apiKeys.map((item) => ({ ...item, createdAt: time })) };
}

const kindsOf = (found: readonly Difference[]) =>
  found.map(({ kind, requestId, reference, day }) => [kind, requestId ?? reference ?? day]);

async function complete({ tables, nowMs, seals, createdAt: time }: Daily): Promise<readonly Difference[]> {
  return (await reconcileExport(createdAt(tables, time), nowMs, () => ({ seals }))).differences;
}

/** Returns the item without the fields that a change set to undefined. */
function withoutUndefined(item: Item | undefined): Item | undefined {
  return item && Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

const OLD = 10 * DAY_MS;
const REQUESTS = [
  { name: 'req_d_now' },
  { name: 'req_d_cost', cost: 3 },
  { name: 'req_d_missing', outcome: 'NOT_FOUND' },
  { name: 'req_d_killed', outcome: 'ABANDONED' },
  { name: 'req_d_old', agoMs: OLD },
  { name: 'req_d_old_cost', agoMs: OLD + HOUR_MS, cost: 2 },
  { name: 'req_d_old_miss', agoMs: OLD + 2 * HOUR_MS, outcome: 'NOT_FOUND' },
];
const OLD_DAY = new Date(NOW_MS - OLD).toISOString().slice(0, 10);

const isLogOf = (item: Item, name: string) => item['requestId'] === name && 'requestKey' in item;

describe('rows that agree', () => {
  test('have no differences, before and after their days are sealed', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    expect(await daily.run()).toMatchObject({ status: 'complete', found: [] });
    for (let day = 0; day < 4; day += 1)
      expect(await daily.runNextDay()).toMatchObject({ status: 'complete', found: [] });
    expect(daily.pauses).toEqual(Array.from({ length: 10 }, () => 0));
  });

  test('are sealed 24 hours after the end of their day, and no earlier', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const head = daily.seals.heads.get(PK);
    expect(head).toMatchObject({
      sealedUntil: '2026-11-19',
      total: { charged: 3, paid: 100, charges: 2, logs: 3 },
    });
    expect(daily.seals.days.get(`${PK} ${OLD_DAY}`)).toMatchObject({
      charges: { count: 2, credits: 3 },
      logs: { count: 3, credits: 3 },
      months: { '2026-11': { charged: 3, lines: 2 } },
      requested: { [OLD_DAY]: 3 },
      differences: 0,
    });
    await daily.runNextDay();
    expect(daily.seals.heads.get(PK)).toMatchObject({ sealedUntil: '2026-11-20' });
  });

  test('are checked once a day, and again only on demand', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    expect(await daily.run()).toMatchObject({ status: 'idle' });
    expect(await daily.run({ isForced: true })).toMatchObject({ status: 'complete' });
    expect(await daily.runNextDay()).toMatchObject({ status: 'complete' });
  });

  test('may lack expired rows: log rows after their retention, VOID rows after 60 days', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    daily.nowMs += 400 * DAY_MS;
    daily.change((item) => ('requestKey' in item || item['state'] === 'VOID' ? undefined : item));
    expect(await daily.run()).toMatchObject({ status: 'complete', found: [] });
    expect(await daily.runNextDay()).toMatchObject({ found: [] });
  });

  test('may be moved to another tag by an erasure', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    daily.change((item) =>
      'requestKey' in item
        ? { ...item, pk: `${PK}#erased.${item['operationId']}`, consent: undefined }
        : item,
    );
    expect(await daily.runNextDay()).toMatchObject({ found: [] });
  });

  test('have no differences if charges of today are decided while they are read', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    const later = requestRows({ name: 'req_d_later', agoMs: -3_000 });
    daily.wrap = (source) => ({
      ...source,
      linePages: (...range) => {
        if (!daily.tables.wallets.includes(later.charge)) daily.add({ wallets: [later.charge] });
        return source.linePages(...range);
      },
    });
    expect(await daily.run()).toMatchObject({ found: [] });
  });

  test('have no differences if the index shows a charge only at the second read', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    let looks = 0;
    daily.wrap = (source) => ({
      ...source,
      async *linePages(...range) {
        const isToday = range[0].env === 'live' && range[2].from >= '2026-11-20T23';
        if (isToday) looks += 1;
        for await (const page of source.linePages(...range))
          yield looks < 2 && isToday ? page.filter((item) => !isOf(item, 'req_d_now')) : page;
      },
    });
    expect(await daily.run()).toMatchObject({ found: [] });
    expect(daily.pauses).toContain(10_000);
  });
});

describe('a wrong row of a day that is not sealed is reported by the daily and the complete reconciliation:', () => {
  const wrong: [string, (item: Item) => Item | undefined, [string, string][]][] = [
    [
      'the log row of a charge is missing',
      (item) => (isLogOf(item, 'req_d_now') ? undefined : item),
      [['charge-without-log', 'req_d_now']],
    ],
    [
      'a CHARGED row is missing',
      (item) => (isOf(item, 'req_d_cost', 'CHARGE') ? undefined : item),
      [
        ['log-without-charge', 'req_d_cost'],
        ['balance', '2026-11-21'],
      ],
    ],
    [
      'a VOID row is missing',
      (item) => (isOf(item, 'req_d_missing', 'CHARGE') ? undefined : item),
      [['log-without-charge', 'req_d_missing']],
    ],
    [
      'the VOID row of a killed request is missing',
      (item) => (isOf(item, 'req_d_killed', 'CHARGE') ? undefined : item),
      [['log-without-charge', 'req_d_killed']],
    ],
    [
      'the log row of a failure is missing, which only the scan finds',
      (item) => (isLogOf(item, 'req_d_missing') ? undefined : item),
      [['charge-without-log', 'req_d_missing']],
    ],
    [
      'a log row has a different cost',
      (item) => (isLogOf(item, 'req_d_cost') ? { ...item, creditsCharged: 1 } : item),
      [['log-disagrees', 'req_d_cost']],
    ],
    [
      'a log row has a different outcome',
      (item) => (isLogOf(item, 'req_d_missing') ? { ...item, outcome: 'FAILED' } : item),
      [['log-disagrees', 'req_d_missing']],
    ],
    [
      'a log row is not in the index of its day',
      (item) => (isLogOf(item, 'req_d_now') ? { ...item, timeKey: `${PK}#2026-11-22#00` } : item),
      [['row-keys', 'req_d_now']],
    ],
    [
      'a CHARGED row is in a different month of the statement',
      (item) => (isOf(item, 'req_d_now', 'CHARGE') ? { ...item, statementKey: `${PK}#2026-10#00` } : item),
      [
        ['row-keys', 'req_d_now'],
        ['balance', '2026-11-21'],
      ],
    ],
    [
      'a CHARGED row is in a shard that its wallet does not have',
      (item) =>
        isOf(item, 'req_d_now', 'CHARGE') ? { ...item, shard: 7, statementKey: `${PK}#2026-11#07` } : item,
      [
        ['balance', '2026-11-21'],
        ['row-keys', 'req_d_now'],
      ],
    ],
    [
      'a credit row is from before its organisation was created',
      (item) => {
        const createdAt = '2025-01-01T00:00:00.000Z';
        return item['sk'] === 'CREDIT'
          ? { ...item, createdAt, ...statementKeys(WALLET, 0, createdAt, 'INV-1') }
          : item;
      },
      [
        ['credits', '2026-11-21'],
        ['row-keys', 'INV-1'],
      ],
    ],
    [
      'a credit row is not in the statement',
      ({ statementSort, ...item }) => (item['sk'] === 'CREDIT' ? item : { ...item, statementSort }),
      [
        ['credits', '2026-11-21'],
        ['row-keys', 'INV-1'],
      ],
    ],
    [
      'a VOID row has no cost',
      ({ cost, ...item }) => (isOf(item, 'req_d_missing', 'CHARGE') ? item : { ...item, cost }),
      [
        ['log-without-charge', 'req_d_missing'],
        ['unreadable', 'req_d_missing'],
      ],
    ],
    [
      'a shard has credit without a credit row',
      (item) => (item['available'] === 93 ? { ...item, available: 94, credited: 101 } : item),
      [['credits', '2026-11-21']],
    ],
    [
      'a CHARGED row is not in the statement',
      ({ statementKey, ...item }) =>
        isOf(item, 'req_d_now', 'CHARGE') || statementKey === undefined ? item : { ...item, statementKey },
      [
        ['row-keys', 'req_d_now'],
        ['balance', '2026-11-21'],
      ],
    ],
    [
      'a CHARGED row has a time to live',
      (item) => (isOf(item, 'req_d_now', 'CHARGE') ? { ...item, expiresAt: 2_000_000_000 } : item),
      [['row-keys', 'req_d_now']],
    ],
    [
      'the balance is wrong',
      (item) => (item['available'] === 93 ? { ...item, available: 92 } : item),
      [['balance', '2026-11-21']],
    ],
    [
      'a credit row is missing',
      (item) => (item['sk'] === 'CREDIT' ? undefined : item),
      [['credits', '2026-11-21']],
    ],
    [
      'a row of an unknown organisation',
      (item) =>
        isOf(item, 'req_d_killed', 'CHARGE')
          ? { ...item, pk: `live#zzzzzzzzzz#${item['operationId']}` }
          : item,
      [
        ['log-without-charge', 'req_d_killed'],
        ['unknown-wallet', '2026-11-21'],
      ],
    ],
  ];
  test.each(wrong)('%s', async (_, change, expected) => {
    const daily = new Daily(rowsOf(REQUESTS));
    daily.change((item) => withoutUndefined(change(item)));
    expect(kindsOf((await daily.run()).found)).toEqual(expected);
    expect(kindsOf(await complete(daily)).sort()).toEqual([...expected].sort());
  });

  test.each([
    ['a charged operation', 0, 'several-logs'],
    ['an operation that was not charged', 0, 'several-logs'],
    ['a free replay', 0, 'several-logs'],
    ['a free replay', 5, 'several-logs'],
    ['a charged operation', 5, 'log-disagrees'],
    ['an operation that was not charged', 5, 'log-disagrees'],
    ['a free replay, with another request ID', 5, 'several-logs'],
    ['a free replay, on another day', DAY_MS, 'row-keys'],
    ['a charged operation, on another day', DAY_MS, 'log-disagrees'],
  ])('a second log row of %s, %i ms earlier', async (name, earlierMs, kind) => {
    const daily = new Daily(rowsOf(REQUESTS));
    const isMissing = name.includes('not charged');
    const { log } = requestRows(
      isMissing ? { name: 'req_d_missing', outcome: 'NOT_FOUND' } : { name: 'req_d_now' },
    );
    const replay: Item = {
      ...requestRows({ name: 'req_d_replay' }).log,
      creditsCharged: 0,
      replayOf: log['sk'],
    };
    const first = name.includes('replay') ? replay : log;
    const requestedAt = new Date(Date.parse(String(first['requestedAt'])) - earlierMs).toISOString();
    const requestId = name.includes('another request') ? 'req_d_other' : first['requestId'];
    const second = {
      ...first,
      pk: `${PK}#other-tag`,
      requestId,
      requestKey: `${PK}#${requestId}`,
      requestedAt,
      ...logIndexKeys(WALLET, { operationId: String(first['sk']), requestedAt }),
    };
    daily.add({ logs: [...(first === replay ? [replay] : []), second] });
    expect((await daily.run()).found.map((one) => one.kind)).toContain(kind);
    expect((await complete(daily)).map((one) => one.kind)).toContain(kind);
  });

  test('an idempotency row that names another request, which only the scan finds', async () => {
    const daily = new Daily(
      rowsOf(REQUESTS, [{ ...idempotencyRow('key', 'req_d_now'), requestId: 'req_d_other' }]),
    );
    expect((await daily.run()).found).toMatchObject([{ kind: 'idempotency', requestId: 'req_d_other' }]);
  });

  test('a hold that is older than 5 minutes, whose day is not sealed until it is settled', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    const hold = holdOf('req_d_held', 5 * DAY_MS);
    daily.change((item) => (item['available'] === 93 ? { ...item, available: 92, holds: hold } : item));
    expect(kindsOf((await daily.run()).found)).toEqual([['old-hold', 'req_d_held']]);
    expect(daily.seals.heads.get(PK)?.sealedUntil).toBe('2026-11-15');
    daily.change((item) => (item['available'] === 92 ? { ...item, available: 93, holds: {} } : item));
    expect(await daily.runNextDay()).toMatchObject({ found: [] });
    expect(daily.seals.heads.get(PK)?.sealedUntil).toBe('2026-11-20');
  });
});

describe('a change in a sealed day is reported:', () => {
  const planted: [string, (item: Item) => Item | undefined, [string, string][]][] = [
    [
      'a CHARGED row with a different cost',
      (item) => (isOf(item, 'req_d_old_cost', 'CHARGE') ? { ...item, cost: 1 } : item),
      [
        ['log-disagrees', 'req_d_old_cost'],
        ['sealed-day', OLD_DAY],
      ],
    ],
    [
      'a CHARGED row with a different service',
      (item) => (isOf(item, 'req_d_old_cost', 'CHARGE') ? { ...item, service: 'bvn-basic' } : item),
      [
        ['log-disagrees', 'req_d_old_cost'],
        ['sealed-day', OLD_DAY],
      ],
    ],
    [
      'a CHARGED row that is missing',
      (item) => (isOf(item, 'req_d_old', 'CHARGE') ? undefined : item),
      [
        ['log-without-charge', 'req_d_old'],
        ['sealed-day', OLD_DAY],
      ],
    ],
    [
      'a log row that is missing',
      (item) => (isLogOf(item, 'req_d_old') ? undefined : item),
      [
        ['charge-without-log', 'req_d_old'],
        ['sealed-day', OLD_DAY],
      ],
    ],
    [
      'the log row of a failure that is missing',
      (item) => (isLogOf(item, 'req_d_old_miss') ? undefined : item),
      [
        ['charge-without-log', 'req_d_old_miss'],
        ['sealed-day', OLD_DAY],
      ],
    ],
    [
      'a credit row with a different amount',
      (item) => (item['sk'] === 'CREDIT' ? { ...item, amount: 90 } : item),
      [['sealed-day', '2026-11-19']],
    ],
  ];
  test.each(planted)('%s', async (_, change, expected) => {
    const daily = new Daily(rowsOf(REQUESTS));
    expect((await daily.run()).found).toEqual([]);
    daily.change(change);
    const { found } = await daily.runNextDay();
    expect(kindsOf(found).map(String).sort()).toEqual(expected.map(String).sort());
    const ofComplete = kindsOf(await complete(daily)).map(String);
    expect(ofComplete).toEqual(expect.arrayContaining(expected.map(String)));
    // The difference is reported every day until the row is correct again.
    expect((await daily.runNextDay()).found).not.toEqual([]);
    daily.tables = rowsOf(REQUESTS);
    expect((await daily.runNextDay()).found).toEqual([]);
  });

  test('once in a run, even if the run verifies the day twice', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const { charge, log } = requestRows({ name: 'req_d_added', agoMs: OLD, outcome: 'NOT_FOUND' });
    daily.add({ wallets: [charge], logs: [log] });
    for (let part = 0; part < 20; part += 1) {
      daily.random = part / 20;
      expect(kindsOf((await daily.runNextDay()).found)).toEqual([['sealed-day', OLD_DAY]]);
    }
  });

  test('an added log row with its VOID row', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const { charge, log } = requestRows({ name: 'req_d_added', agoMs: OLD, outcome: 'NOT_FOUND' });
    daily.add({ wallets: [charge], logs: [log] });
    expect(kindsOf((await daily.runNextDay()).found)).toEqual([['sealed-day', OLD_DAY]]);
  });

  test('a seal that is missing or has a different total', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const key = `${PK} ${OLD_DAY}`;
    const right = daily.seals.days.get(key);
    if (!right) throw new Error('There is no seal.');
    daily.seals.days.delete(key);
    expect(kindsOf((await daily.runNextDay()).found)).toContainEqual(['sealed-day', OLD_DAY]);
    // The seal of the next day shows that one is missing.
    expect(kindsOf(await complete(daily))).toEqual([['sealed-day', dayPlus(OLD_DAY, 1)]]);
    daily.seals.days.set(key, { ...right, total: { ...right.total, paid: 99 } });
    expect(kindsOf((await daily.runNextDay()).found)).toContainEqual(['sealed-day', OLD_DAY]);
    expect(kindsOf(await complete(daily))).toContainEqual(['sealed-day', OLD_DAY]);
    daily.seals.days.set(key, right);
    expect((await daily.runNextDay()).found).toEqual([]);
  });

  test('a row that changes, within the documented number of runs, if each run reads only some days', async () => {
    const requests = Array.from({ length: 30 }, (_, day) => ({
      name: `req_p_${day}`,
      agoMs: (day + 3) * DAY_MS,
    }));
    const tables = rowsOf(requests);
    const daily = new Daily(tables, 35);
    const part = { rowsPerRun: 10 };
    let report = await daily.run(part);
    while (report.status === 'unfinished') report = await daily.run(part);
    for (let runs = 0; runs < 5; runs += 1) await daily.runNextDay(part);
    daily.change((item) => (isOf(item, 'req_p_20', 'CHARGE') ? { ...item, provider: 'Other' } : item));
    const sealedDays = daily.seals.heads.get(PK)?.total.days ?? 0;
    let runs = 0;
    let found: readonly Difference[] = [];
    for (; found.length === 0 && runs < 100; runs += 1) ({ found } = await daily.runNextDay(part));
    expect(found.map(({ kind }) => kind)).toContain('sealed-day');
    expect(runs).toBeLessThanOrEqual(Math.ceil(sealedDays / 3) + 1);
  });
});

describe('a run of the daily reconciliation', () => {
  test('that runs out of time is continued by the next, until all days are sealed', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    let sealedIn = 0;
    let runs = 0;
    for (; runs < 30; runs += 1) {
      // Each read of the log rows of a day takes a second.
      const startMs = daily.nowMs;
      daily.wrap = (source) => ({
        ...source,
        logPagesOfDay: (...day) => {
          daily.nowMs += 1_000;
          return source.logPagesOfDay(...day);
        },
      });
      const before = daily.seals.days.size;
      const { status, found } = await daily.run({ endsAtMs: startMs + 8_000 });
      sealedIn += daily.seals.days.size - before;
      expect(found).toEqual([]);
      if (status === 'complete') break;
      expect(status).toBe('unfinished');
    }
    expect(runs).toBeGreaterThan(3);
    expect(runs).toBeLessThan(30);
    expect(sealedIn).toBe(2 * 20);
    expect(await daily.run()).toMatchObject({ status: 'idle' });
  });

  test('skips a wallet that another run is checking at the same time', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    const [first, second] = await Promise.all([daily.run(), daily.run()]);
    expect([...first.found, ...second.found]).toEqual([]);
    expect([first.status, second.status]).toContain('idle');
    expect(await daily.runNextDay()).toMatchObject({ status: 'complete', found: [] });
  });
});

describe('a stored run', () => {
  test.each<[string, Partial<ReconciliationRun>]>([
    ['of the future', { startedAt: '2099-01-01T00:00:00.000Z' }],
    ['of later today', { startedAt: new Date(NOW_MS + DAY_MS + 2 * HOUR_MS).toISOString() }],
    ['without a time', { startedAt: '' }],
  ])('%s is reported and begun again, so that it hides no wallet', async (_, change) => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const { completedAt: __, ...run } = daily.seals.run as ReconciliationRun;
    const forged = { ...run, ...change };
    daily.seals.run = forged;
    for (const [key, head] of daily.seals.heads)
      daily.seals.heads.set(key, { ...head, run: forged.startedAt });
    const shard = shardKey(WALLET, 0).pk;
    daily.change((item) => (item['pk'] === shard ? { ...item, available: 0 } : item));
    const { found, status } = await daily.runNextDay();
    expect(found.map(({ kind }) => kind)).toEqual(['sealed-day', 'balance']);
    expect(status).toBe('complete');
    expect((await daily.runNextDay()).found.map(({ kind }) => kind)).toEqual(['balance']);
  });
});

describe('a head', () => {
  test.each<[string, Partial<SealHead>]>([
    ['beyond all seals', { sealedUntil: '2099-01-01' }],
    ['of another number of rows', { lastRows: 99 }],
    ['that was read as unreadable', newHead('0')],
  ])('%s is reported and repaired', async (_, change) => {
    const daily = new Daily(rowsOf(REQUESTS));
    await daily.run();
    const head = daily.seals.heads.get(PK) as SealHead;
    daily.seals.heads.set(PK, { ...head, ...change, version: head.version });
    expect(kindsOf((await daily.runNextDay()).found)).toEqual([['sealed-day', head.sealedUntil]]);
    expect((await daily.runNextDay()).found).toEqual([]);
  });
});

test('a charged request whose hold was never removed is not counted twice after its day was sealed', async () => {
  const daily = new Daily(rowsOf(REQUESTS));
  await daily.run();
  const holdId = `${operationId('req_d_old', OLD)}.0`;
  const hold = { ...holdOf('req_d_old', OLD), [holdId]: Object.values(holdOf('req_d_old', OLD))[0] };
  daily.change((item) => (item['available'] === 93 ? { ...item, holds: hold } : item));
  daily.nowMs += DAY_MS;
  const { found } = await daily.run();
  expect(kindsOf(found)).toEqual([['old-hold', 'req_d_old']]);
});

test('the complete reconciliation reads seals too, and finds the same change in a sealed day', async () => {
  const daily = new Daily(rowsOf(REQUESTS));
  await daily.run();
  const items = [...daily.seals.days].map(([key, row]) => ({
    pk: `${key.split(' ')[0]}#SEALS`,
    sk: row.day,
    ...row,
  }));
  const heads = [...daily.seals.heads].map(([name, row]) => ({ pk: `${name}#SEALS`, sk: 'HEAD', ...row }));
  const run = { pk: 'live#RECONCILIATION#RUN', sk: 'RUN', ...daily.seals.run };
  daily.add({ wallets: [...items, ...heads, run] });
  expect(await complete(daily)).toEqual([]);
  daily.change((item) => (isOf(item, 'req_d_old_cost', 'CHARGE') ? { ...item, provider: 'other' } : item));
  const ofLog = ['log-disagrees', 'req_d_old_cost'];
  expect(kindsOf(await complete(daily))).toEqual([ofLog, ['sealed-day', OLD_DAY]]);
});

describe('the audit trail', () => {
  const removed = {
    kind: 'trail-removed',
    organisationId: WALLET.organisationId,
    id: operationId('trail'),
    atMs: NOW_MS - HOUR_MS,
    expected: 'org approve by ada',
    found: 'none',
  } as const;
  /** Returns a source whose archive has one row that the table does not, or an archive that does not respond. */
  const trailOf = (isDown = () => false): NonNullable<DailySource['trail']> => ({
    table: {
      async *partitionPages() {
        yield [];
      },
    },
    archive: {
      listOrganisations: async () => {
        if (isDown()) throw new Error('503 SlowDown');
        return [];
      },
      listRows: async (organisationId) => {
        const row = { organisationId, id: removed.id, key: '', versionId: '', versions: 1 };
        return new Map(organisationId === undefined ? [] : [[removed.id, row]]);
      },
      readRow: async () => ({ action: 'org approve', actor: 'ada' }),
      listChanges: async () => [],
    },
  });

  test('is compared with its archive by each run, before the run is complete', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    let isDown = true;
    daily.wrap = (source) => ({ ...source, trail: trailOf(() => isDown) });
    await expect(daily.run()).rejects.toThrow('503 SlowDown');
    expect((await daily.seals.getRun())?.completedAt).toBeUndefined();
    isDown = false;
    const { status, found } = await daily.run();
    expect([status, kindsOf(found)]).toEqual(['complete', [['trail-removed', removed.id]]]);
    expect((await daily.run()).status).toBe('idle');
  });

  test('waits for the next invocation if no time is left', async () => {
    const daily = new Daily(rowsOf(REQUESTS));
    daily.wrap = (source) => ({ ...source, trail: trailOf() });
    expect((await daily.run({ endsAtMs: NOW_MS })).status).toBe('unfinished');
    expect((await daily.run()).status).toBe('complete');
  });

  test('is compared as a whole by a complete run, or for one organisation', async () => {
    for (const organisationId of [undefined, WALLET.organisationId]) {
      const trail = () => ({ trail: trailOf() });
      const { differences } = await reconcileExport(rowsOf(REQUESTS), NOW_MS, trail, organisationId);
      expect(kindsOf(differences)).toEqual([['trail-removed', removed.id]]);
    }
  });
});
