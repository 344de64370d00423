import { describe, expect, test } from '@jest/globals';
import {
  balanceOf,
  evenTransfers,
  gatherTransfers,
  type Hold,
  holdIdOf,
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

const crowd = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`OP${place}.0`, hold()]));

describe('a shard refuses a reserve only', () => {
  test.each([
    { story: 'with credit to spare', row: shard(0, 5), cost: 1, refusal: undefined },
    { story: 'with just enough', row: shard(0, 3), cost: 3, refusal: undefined },
    { story: 'with one credit too few', row: shard(0, 2), cost: 3, refusal: 'short' },
    { story: 'with nothing', row: shard(0, 0), cost: 1, refusal: 'short' },
    { story: 'one below its bulkhead', row: shard(0, 9, crowd(MAX_HOLDS - 1)), cost: 1, refusal: undefined },
    { story: 'at its bulkhead', row: shard(0, 9, crowd(MAX_HOLDS)), cost: 1, refusal: 'full' },
    { story: 'poor and full', row: shard(0, 0, crowd(MAX_HOLDS)), cost: 1, refusal: 'short' },
  ])('$story: $refusal', ({ row, cost, refusal }) => {
    expect(rejectionOf(row, cost)).toBe(refusal);
  });
});

describe('hold ids', () => {
  test('tell their operation, and differ from send to send', () => {
    const ids = [0, 1, 2].map((send) => holdIdOf('01JOPERATION', send));
    expect(new Set(ids).size).toBe(3);
    expect(ids.map(operationIdOf)).toEqual(['01JOPERATION', '01JOPERATION', '01JOPERATION']);
  });

  test('of another operation are not ours, even where the name begins alike', () => {
    expect(ownHold(shard(2, 0, { 'OP12.0': hold() }), 'OP1')).toBeUndefined();
  });

  test('of ours are found whichever send arrived', () => {
    const row = shard(2, 0, { 'OP2.0': hold(), 'OP1.3': hold() });
    expect(ownHold(row, 'OP1')).toEqual({ shard: 2, holdId: 'OP1.3' });
  });
});

test('the holds that expire first come first', () => {
  const row = shard(0, 0, { 'b.0': hold(1, 300), 'a.0': hold(1, 100), 'c.0': hold(1, 200) });
  expect(oldestHolds(row).map(([holdId]) => holdId)).toEqual(['a.0', 'c.0', 'b.0']);
});

test.each([
  [undefined, false],
  [4, false],
  [5, true],
])('after %s failed sweeps a hold is quarantined: %s', (sweepFailures, isLeft) => {
  expect(isQuarantined({ ...hold(), ...(sweepFailures !== undefined && { sweepFailures }) })).toBe(isLeft);
});

test('the balance adds up all shards, and holds at their own cost', () => {
  const shards = [shard(0, 4, { 'a.0': hold(2) }), shard(1, 0, { 'b.0': hold(3), 'c.0': hold(1) })];
  expect(balanceOf(shards)).toEqual({ available: 4, held: 6, credited: 4 });
});

describe('gathering credit into one shard', () => {
  test.each<{ story: string; shards: WalletShard[]; cost: number; moves: Transfer[] | undefined }>([
    {
      story: 'two shards of 1 pay 2',
      shards: [shard(0, 1), shard(1, 1)],
      cost: 2,
      moves: [
        { shard: 0, amount: 1 },
        { shard: 1, amount: -1 },
      ],
    },
    {
      story: 'the richest shard gets what is missing, no more',
      shards: [shard(0, 1), shard(1, 5), shard(2, 4)],
      cost: 7,
      moves: [
        { shard: 1, amount: 2 },
        { shard: 2, amount: -2 },
      ],
    },
    {
      story: 'several shards give where one has too little',
      shards: [shard(0, 1), shard(1, 1), shard(2, 1)],
      cost: 3,
      moves: [
        { shard: 0, amount: 2 },
        { shard: 1, amount: -1 },
        { shard: 2, amount: -1 },
      ],
    },
    {
      story: 'a full shard is no place for the hold, but may give',
      shards: [shard(0, 9, crowd(MAX_HOLDS)), shard(1, 0)],
      cost: 2,
      moves: [
        { shard: 1, amount: 2 },
        { shard: 0, amount: -2 },
      ],
    },
    {
      story: 'where all are full there is no place',
      shards: [shard(0, 9, crowd(MAX_HOLDS))],
      cost: 2,
      moves: undefined,
    },
  ])('$story', ({ shards, cost, moves }) => {
    const gathered = gatherTransfers(shards, cost);
    expect(gathered).toEqual(moves);
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
  ])('%j becomes %j, in amounts that cancel out', (before, after) => {
    const transfers = evenTransfers(before.map((available, place) => shard(place, available)));
    const change = (place: number) => transfers.find((one) => one.shard === place)?.amount ?? 0;
    expect(before.map((available, place) => available + change(place))).toEqual(after);
    expect(transfers.reduce((total, { amount }) => total + amount, 0)).toBe(0);
    expect(transfers.every(({ amount }) => amount !== 0)).toBe(true);
  });
});
