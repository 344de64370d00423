import { describe, expect, test } from '@jest/globals';
import {
  balanceOf,
  evenTransfers,
  gatherTransfers,
  type Hold,
  holdIdOf,
  isCoveredByHolds,
  isQuarantined,
  MAX_HOLDS,
  oldestHolds,
  operationIdOf,
  ownHold,
  rejectionOf,
  type Transfer,
  type WalletShard,
} from '../../../shared/ledger/rows/wallet.ts';

function hold(cost = 1, expiresAtMs = 40_000): Hold {
  return { requestId: 'req_1', cost, service: 'nin-basic', keyLabel: 'k', numberTag: 't', expiresAtMs };
}

function shard(number: number, available: number, holds: Record<string, Hold> = {}): WalletShard {
  return { shard: number, available, credited: available, holds };
}

const manyHolds = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`OP${index}.0`, hold()]));

describe('the rejection of a reserve by a shard:', () => {
  test.each([
    { name: 'with more credit than needed', row: shard(0, 5), cost: 1, rejection: undefined },
    { name: 'with just enough', row: shard(0, 3), cost: 3, rejection: undefined },
    { name: 'with one credit too few', row: shard(0, 2), cost: 3, rejection: 'short' },
    { name: 'without credit', row: shard(0, 0), cost: 1, rejection: 'short' },
    {
      name: 'with one hold to spare',
      row: shard(0, 9, manyHolds(MAX_HOLDS - 1)),
      cost: 1,
      rejection: undefined,
    },
    { name: 'full of holds', row: shard(0, 9, manyHolds(MAX_HOLDS)), cost: 1, rejection: 'full' },
    {
      name: 'full of holds and without credit',
      row: shard(0, 0, manyHolds(MAX_HOLDS)),
      cost: 1,
      rejection: 'short',
    },
  ])('$name: $rejection', ({ row, cost, rejection }) => {
    expect(rejectionOf(row, cost)).toBe(rejection);
  });
});

describe('hold IDs', () => {
  test('contain the operation ID and differ for each attempt', () => {
    const ids = [0, 1, 2].map((send) => holdIdOf('01JOPERATION', send));
    expect(new Set(ids).size).toBe(3);
    expect(ids.map(operationIdOf)).toEqual(['01JOPERATION', '01JOPERATION', '01JOPERATION']);
  });

  test('of another operation are not matched, even if they have a common prefix', () => {
    expect(ownHold(shard(2, 0, { 'OP12.0': hold() }), 'OP1')).toBeUndefined();
  });

  test('of the operation are found, whichever attempt created them', () => {
    const row = shard(2, 0, { 'OP2.0': hold(), 'OP1.3': hold() });
    expect(ownHold(row, 'OP1')).toEqual({ shard: 2, holdId: 'OP1.3' });
  });
});

test('holds are sorted by expiry, earliest first', () => {
  const row = shard(0, 0, { 'b.0': hold(1, 300), 'a.0': hold(1, 100), 'c.0': hold(1, 200) });
  expect(oldestHolds(row).map(([holdId]) => holdId)).toEqual(['a.0', 'c.0', 'b.0']);
});

test.each([
  [undefined, false],
  [4, false],
  [5, true],
])('a hold whose sweepFailures is %s is quarantined: %s', (sweepFailures, isInQuarantine) => {
  expect(isQuarantined({ ...hold(), ...(sweepFailures !== undefined && { sweepFailures }) })).toBe(
    isInQuarantine,
  );
});

describe('a price of 3 is covered by 1 available credit and a hold of 2', () => {
  const EXPIRES_MS = 40_000;
  test.each([
    { name: 'whose request is in progress', nowMs: 0, changes: {}, isCovered: true },
    { name: 'at its expiry', nowMs: EXPIRES_MS, changes: {}, isCovered: true },
    { name: 'that the next sweep settles', nowMs: EXPIRES_MS + 60_000, changes: {}, isCovered: true },
    { name: 'for 120 s after its expiry', nowMs: EXPIRES_MS + 119_999, changes: {}, isCovered: true },
    { name: 'but not longer', nowMs: EXPIRES_MS + 120_000, changes: {}, isCovered: false },
    { name: 'whose sweep failed once', nowMs: EXPIRES_MS, changes: { sweepFailures: 1 }, isCovered: true },
    { name: 'unless it is quarantined', nowMs: 0, changes: { sweepFailures: 5 }, isCovered: false },
    { name: 'but not by 1 credit and a hold of 1', nowMs: 0, changes: { cost: 1 }, isCovered: false },
  ])('$name', ({ nowMs, changes, isCovered }) => {
    const shards = [shard(0, 1), shard(1, 0, { 'a.0': { ...hold(2, EXPIRES_MS), ...changes } })];
    expect(isCoveredByHolds(shards, 3, nowMs)).toBe(isCovered);
  });
});

test('the balance is the sum of all shards, with each hold at its cost', () => {
  const shards = [shard(0, 4, { 'a.0': hold(2) }), shard(1, 0, { 'b.0': hold(3), 'c.0': hold(1) })];
  expect(balanceOf(shards)).toEqual({ available: 4, held: 6, credited: 4 });
});

describe('gathering credit into one shard', () => {
  test.each<{ name: string; shards: WalletShard[]; cost: number; transfers: Transfer[] | undefined }>([
    {
      name: 'two shards with 1 credit each can pay 2',
      shards: [shard(0, 1), shard(1, 1)],
      cost: 2,
      transfers: [
        { shard: 0, amount: 1 },
        { shard: 1, amount: -1 },
      ],
    },
    {
      name: 'the shard with the most credit receives exactly what it lacks',
      shards: [shard(0, 1), shard(1, 5), shard(2, 4)],
      cost: 7,
      transfers: [
        { shard: 1, amount: 2 },
        { shard: 2, amount: -2 },
      ],
    },
    {
      name: 'several shards give credit if one does not have enough',
      shards: [shard(0, 1), shard(1, 1), shard(2, 1)],
      cost: 3,
      transfers: [
        { shard: 0, amount: 2 },
        { shard: 1, amount: -1 },
        { shard: 2, amount: -1 },
      ],
    },
    {
      name: 'a shard full of holds gives credit but receives none',
      shards: [shard(0, 9, manyHolds(MAX_HOLDS)), shard(1, 0)],
      cost: 2,
      transfers: [
        { shard: 1, amount: 2 },
        { shard: 0, amount: -2 },
      ],
    },
    {
      name: 'if all shards are full of holds, nothing is transferred',
      shards: [shard(0, 9, manyHolds(MAX_HOLDS))],
      cost: 2,
      transfers: undefined,
    },
  ])('$name', ({ shards, cost, transfers }) => {
    const gathered = gatherTransfers(shards, cost);
    expect(gathered).toEqual(transfers);
    expect((gathered ?? []).reduce((total, { amount }) => total + amount, 0)).toBe(0);
  });
});

describe('spreading credit evenly', () => {
  test.each([
    [
      [9, 0, 0],
      [3, 3, 3],
    ],
    [
      [7, 0],
      [4, 3],
    ],
    [
      [0, 1],
      [0, 1],
    ],
    [
      [2, 2],
      [2, 2],
    ],
    [
      [1, 0, 8],
      [3, 3, 3],
    ],
  ])('%j becomes %j, by transfers whose sum is 0', (before, after) => {
    const transfers = evenTransfers(before.map((available, index) => shard(index, available)));
    const change = (index: number) => transfers.find((transfer) => transfer.shard === index)?.amount ?? 0;
    expect(before.map((available, index) => available + change(index))).toEqual(after);
    expect(transfers.reduce((total, { amount }) => total + amount, 0)).toBe(0);
    expect(transfers.every(({ amount }) => amount !== 0)).toBe(true);
  });
});
