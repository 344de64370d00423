import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { referenceKey } from '../../../shared/core/keys.ts';
import type { Difference } from '../../../shared/ledger/reconcile/rows.ts';
import { statementKeys } from '../../../shared/ledger/statement/statement.ts';
import {
  type ExportedTables,
  exportedSource,
  type Item,
  reconcileExport,
} from '../../reconcile/exported-tables.ts';
import {
  creditRow,
  holdOf,
  idempotencyRow,
  isOf,
  NOW_MS,
  operationId,
  requestRows,
  rowsOf,
  shardRow,
  WALLET,
} from '../../reconcile/invented-rows.ts';

/** Tests that the reconciliation of a few rows reports a difference if a row is wrong, and none if the rows agree. */

async function differences(tables: ExportedTables, nowMs = NOW_MS): Promise<readonly Difference[]> {
  return (await reconcileExport(tables, nowMs)).differences;
}

const kindsOf = (found: readonly Difference[]) =>
  found.map(({ kind, requestId, reference }) => [kind, requestId ?? reference ?? 'wallet']);

const REQUESTS = [
  { name: 'req_found' },
  { name: 'req_expensive', cost: 3 },
  { name: 'req_missing', outcome: 'NOT_FOUND' },
  { name: 'req_late', outcome: 'TIMEOUT', agoMs: 30 * DAY_MS },
  { name: 'req_killed', outcome: 'ABANDONED' },
];

function withChanges(tables: ExportedTables, change: (item: Item) => Item | undefined): ExportedTables {
  const each = (items: readonly Item[]) =>
    items.map(change).filter((item): item is Item => item !== undefined);
  return { ...tables, wallets: each(tables.wallets), logs: each(tables.logs) };
}

describe('rows that agree', () => {
  test('have no differences', async () => {
    expect(await differences(rowsOf(REQUESTS))).toEqual([]);
  });

  test('are counted in the report', async () => {
    const tables = rowsOf(REQUESTS);
    expect(await reconcileExport(tables, NOW_MS)).toEqual({
      checkedAt: '2026-11-21T12:00:00.000Z',
      wallets: 2,
      charges: 5,
      credits: 1,
      logs: 5,
      differences: [],
    });
  });

  test('may have holds of running requests, and of a charged request whose hold is not removed yet', async () => {
    const tables = rowsOf([{ name: 'req_settling', agoMs: 60_000 }, { name: 'req_settled' }]);
    const holds = { ...holdOf('req_settling', 60_000), ...holdOf('req_running', 5_000) };
    const withHolds = withChanges(tables, (item) =>
      item['available'] === 98 ? { ...item, available: 97, holds } : item,
    );
    expect(await differences(withHolds)).toEqual([]);
  });

  test('have no differences if a charge is stored just before or after the shards are read, in the same second', async () => {
    for (const available of [99, 100]) {
      const tables = rowsOf([], [requestRows({ name: 'req_now', agoMs: 0 }).charge]);
      const read = withChanges(tables, (item) => (item['available'] === 100 ? { ...item, available } : item));
      expect(await differences(read)).toEqual([]);
    }
  });

  test('have no differences if a transfer between shards makes one of two reads inconsistent', async () => {
    let readings = 0;
    const { differences: found } = await reconcileExport(rowsOf(REQUESTS), NOW_MS, (source) => ({
      async readShards(wallet, shardCount) {
        const reading = await source.readShards(wallet, shardCount);
        readings += wallet.env === 'live' ? 1 : 0;
        // The first reading finds the oldest hold.
        if (readings !== 2) return reading;
        return { ...reading, shards: reading.shards.map((shard) => ({ ...shard, available: 50 })) };
      },
    }));
    expect(readings).toBe(4);
    expect(found).toEqual([]);
  });

  test('may have a charge row without a log row if nothing was held', async () => {
    for (const outcome of ['REFUSED', 'ABANDONED']) {
      const unheld = requestRows({ name: `req_${outcome}`, outcome });
      expect(await differences(rowsOf(REQUESTS, [unheld.charge]))).toEqual([]);
    }
  });

  test('may lack expired rows: log rows after their retention, VOID rows after 60 days', async () => {
    const old = requestRows({ name: 'req_old', agoMs: 366 * DAY_MS });
    const tables = rowsOf([], [old.charge, shardRow(0, { available: 99, credited: 100 })]);
    const aged = withChanges(tables, (item) => (item['available'] === 100 ? undefined : item));
    expect(await differences(aged)).toEqual([]);
    const voided = requestRows({ name: 'req_void', outcome: 'NOT_FOUND', agoMs: 61 * DAY_MS });
    expect(await differences({ ...rowsOf(REQUESTS), logs: [...rowsOf(REQUESTS).logs, voided.log] })).toEqual(
      [],
    );
  });

  test('may lack the log row of a request from the last 10 minutes, which may not be written yet', async () => {
    const tables = rowsOf([{ name: 'req_fresh', agoMs: 60_000 }]);
    expect(await differences({ ...tables, logs: [] })).toEqual([]);
    expect(kindsOf(await differences({ ...tables, logs: [] }, NOW_MS + 600_000))).toEqual([
      ['charge-without-log', 'req_fresh'],
    ]);
  });

  test('have no differences if requests are charged after the shards were read', async () => {
    const tables = rowsOf(REQUESTS);
    const later = requestRows({ name: 'req_meanwhile', agoMs: -3_000 });
    const moved = { ...tables, wallets: [...tables.wallets, later.charge] };
    const { linePages } = exportedSource(
      () => moved,
      () => NOW_MS,
    );
    expect((await reconcileExport(tables, NOW_MS, () => ({ linePages }))).differences).toEqual([]);
  });

  test('have no differences if an organisation is created during the run', async () => {
    const tables = rowsOf(REQUESTS);
    let calls = 0;
    const { differences: found } = await reconcileExport(tables, NOW_MS, (source) => ({
      listOrganisations: async () => (calls++ === 0 ? [] : source.listOrganisations()),
    }));
    expect(found).toEqual([]);
  });
});

describe('a missing row is reported:', () => {
  test('a wallet shard', async () => {
    const found = await differences(
      withChanges(rowsOf([]), (item) => (item['pk'] === 'live#aaaaaaaaaa#00' ? undefined : item)),
    );
    expect(kindsOf(found)).toContainEqual(['missing-shard', 'wallet']);
  });

  test('except the shard of a wallet that was never credited', async () => {
    const found = await differences({
      ...rowsOf([]),
      wallets: [],
    });
    expect(found).toEqual([]);
  });
});

describe('a wrong row is reported:', () => {
  describe('two log rows of one operation, whatever their tags:', () => {
    const replay: Item = { ...requestRows({ name: 'req_replay' }).log, creditsCharged: 0 };
    const young = requestRows({ name: 'req_young', agoMs: 1_000 });
    const cases: [string, Item, Item[]][] = [
      ['charged', requestRows({ name: 'req_found' }).log, []],
      ['not charged', requestRows({ name: 'req_missing', outcome: 'NOT_FOUND' }).log, []],
      ['abandoned', requestRows({ name: 'req_abandoned', outcome: 'ABANDONED' }).log, []],
      ['a free replay', { ...replay, replayOf: operationId('req_found') }, []],
      ['a second ago', young.log, [young.charge]],
    ];
    test.each(cases)('%s', async (_, log, charges) => {
      const requests = [...REQUESTS, { name: 'req_abandoned', outcome: 'ABANDONED' }];
      const tables = rowsOf(requests, [...charges]);
      const others = tables.logs.filter(({ sk }) => sk !== log['sk']);
      const erased = { ...log, pk: `live#aaaaaaaaaa#erased.${log['sk']}` };
      const logs = (rows: readonly Item[]) => ({ ...tables, logs: [...others, ...rows] });
      expect(await differences(logs([log]))).toEqual([]);
      expect(await differences(logs([erased]))).toEqual([]);
      expect(kindsOf(await differences(logs([log, erased])))).toEqual([
        ['several-logs', String(log['requestId'])],
      ]);
    });
  });

  test('a malformed erasure marker, but not a valid one', async () => {
    const tables = rowsOf(REQUESTS);
    const marker = { pk: 'live#aaaaaaaaaa#ERASED', sk: 'tag', erasedAtMs: 1_000, expiresAt: 1_000 };
    expect(await differences({ ...tables, logs: [...tables.logs, marker] })).toEqual([]);
    const malformed = { ...marker, erasedAtMs: 'yesterday' };
    expect(kindsOf(await differences({ ...tables, logs: [...tables.logs, malformed] }))).toEqual([
      ['unreadable', expect.anything()],
    ]);
  });

  test('a negative balance, credit in a shard that is not in use, and a shard that expires', async () => {
    const tables = rowsOf([], [shardRow(3, { available: 5, credited: 5 }), creditRow('INV-2', 5, 3)]);
    expect(kindsOf(await differences(tables))).toEqual(
      expect.arrayContaining([['unreachable-shard', 'wallet']]),
    );
    const below = withChanges(rowsOf([]), (item) =>
      item['available'] === 100 ? { ...item, available: -1 } : item,
    );
    expect(kindsOf(await differences(below))).toContainEqual(['negative-balance', 'wallet']);
    const expiring = withChanges(rowsOf([]), (item) =>
      item['available'] === 100 ? { ...item, expiresAt: 2_000_000_000 } : item,
    );
    expect(kindsOf(await differences(expiring))).toEqual([['row-keys', 'wallet']]);
  });

  test('a charge that was moved to the month before, with its keys', async () => {
    const moved = withChanges(rowsOf(REQUESTS), (item) => {
      if (!isOf(item, 'req_found', 'CHARGE')) return item;
      const decidedAt = new Date(Date.parse(String(item['decidedAt'])) - 31 * DAY_MS).toISOString();
      const keys = statementKeys(
        { env: 'live', organisationId: 'aaaaaaaaaa' },
        0,
        decidedAt,
        operationId('req_found'),
      );
      return { ...item, decidedAt, ...keys };
    });
    expect(kindsOf(await differences(moved))).toEqual([['row-keys', 'req_found']]);
  });

  test('a hold that is older than 5 minutes', async () => {
    const hold = (agoMs: number) => holdOf('req_stuck', agoMs);
    const withHold = withChanges(rowsOf([]), (item) =>
      item['available'] === 100 ? { ...item, available: 99, holds: hold(301_000) } : item,
    );
    const [found] = await differences(withHold);
    expect(found).toMatchObject({ kind: 'old-hold', requestId: 'req_stuck', expected: '300000 ms' });
    expect(found?.operationId).toBe(operationId('req_stuck'));
  });

  test.each<[string, Item]>([
    ['of a later time', { expiresAtMs: Date.parse('2099-01-01T00:00:00.000Z') }],
    ['of a time that does not exist', { expiresAtMs: 1e30 }],
    ['of negative credits', { cost: -100 }],
    ['of no credits', { cost: 0 }],
    ['of half a credit', { cost: 0.5 }],
  ])('a hold %s, although the balance is right', async (_, change) => {
    const [entry] = Object.entries(holdOf('req_running', 5_000));
    const [id = '', hold] = entry ?? [];
    const changed: Item = { ...Object(hold), ...change };
    const withHold = withChanges(rowsOf([]), (item) =>
      item['available'] === 100
        ? { ...item, available: 100 - Number(changed['cost']), holds: { [id]: changed } }
        : item,
    );
    expect((await differences(withHold)).map(({ kind }) => kind)).toContain('old-hold');
  });

  test('a charge of negative credits, although the balance is right', async () => {
    const tables = rowsOf([{ name: 'req_negative', cost: -5, agoMs: 60_000 }]);
    expect((await differences(tables)).map(({ kind }) => kind)).toContain('unreadable');
  });

  test('credits that were moved into a shard and out of none', async () => {
    const moved = withChanges(rowsOf([]), (item) =>
      item['available'] === 100 ? { ...item, moved: 5 } : item,
    );
    expect(await differences(moved)).toMatchObject([{ kind: 'balance', expected: 0, found: 5 }]);
  });

  test('the reference of a top-up without a credit, or of an unknown organisation', async () => {
    const reference = (name: string, organisationId: string) => ({
      ...referenceKey('live', name),
      ...{ reference: name, organisationId },
    });
    const rows = [
      reference('INV-1', WALLET.organisationId),
      reference('INV-2', WALLET.organisationId),
      reference('INV-3', 'bbbbbbbbbb'),
    ];
    expect(await differences(rowsOf([], rows))).toMatchObject([
      { kind: 'credits', reference: 'INV-2', found: 'none' },
      { kind: 'unknown-wallet', organisation: 'bbbbbbbbbb' },
    ]);
  });
});

describe('idempotency and replays:', () => {
  const replayLog = (of: string): Item => ({
    ...requestRows({ name: 'req_replay' }).log,
    creditsCharged: 0,
    replayOf: operationId(of),
  });
  const withLog = (tables: ExportedTables, log: Item) => ({ ...tables, logs: [...tables.logs, log] });

  test('keys of charged operations and of undecided operations have no differences', async () => {
    const keys = [idempotencyRow('a', 'req_found', ['x']), idempotencyRow('b', 'req_never_decided')];
    expect(await differences(withLog(rowsOf(REQUESTS, keys), replayLog('req_found')))).toEqual([]);
  });

  test.each([
    ['a replay of a request that was not charged', 'req_missing', undefined, [['replay', 'req_replay']]],
    [
      'a key with replays of a request that was not charged',
      'req_found',
      idempotencyRow('c', 'req_missing', ['x']),
      [['replay', 'req_missing']],
    ],
    [
      'a key with the ID of another request',
      'req_found',
      { ...idempotencyRow('d', 'req_found'), requestId: 'req_x' },
      [['idempotency', 'req_x']],
    ],
  ])('%s is reported', async (_, replayed, key, expected) => {
    const tables = withLog(rowsOf(REQUESTS, key ? [key] : []), replayLog(replayed));
    expect(kindsOf(await differences(tables))).toEqual(expected);
  });

  test('a replay that was charged is reported', async () => {
    const log = { ...replayLog('req_found'), creditsCharged: 1 };
    expect(kindsOf(await differences(withLog(rowsOf(REQUESTS), log)))).toEqual([['replay', 'req_replay']]);
  });
});

test('a run can be limited to one organisation', async () => {
  const tables = withChanges(rowsOf(REQUESTS), (item) =>
    isOf(item, 'req_found', 'CHARGE') ? undefined : item,
  );
  const reconcileOne = (organisationId: string) => reconcileExport(tables, NOW_MS, undefined, organisationId);
  expect(await reconcileOne('bbbbbbbbbb')).toMatchObject({ wallets: 0, charges: 0, differences: [] });
  expect((await reconcileOne('aaaaaaaaaa')).differences).toHaveLength(2);
});
