import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readRecorded, withScale } from './page.ts';
import { partitionOf } from './partitions.ts';
import { customerNeeds, requestsOf, storageOf, tableLoads } from './peak.ts';
import type { RowUse } from './row-use.ts';

test('the numbers in docs/operate/scale.md match the code and the recorded units', () => {
  const page = readFileSync('docs/operate/scale.md', 'utf8');

  // If this fails, review the new numbers, then run `npm run rig -- scale`.
  expect(page).toBe(withScale(page, readRecorded()));
});

test('a key that belongs to no known partition is reported', () => {
  expect(partitionOf('ApiKeys', undefined, 'ORG#7K2MPXQ4T9').name).toBe('organisation');
  expect(() => partitionOf('ApiKeys', undefined, 'NEW#7K2MPXQ4T9')).toThrow('PARTITIONS has no ApiKeys');
});

test('a partition accepts 3,000 reads or 1,000 writes a second, or a combination of both', () => {
  expect(requestsOf({ readUnits: 1, writeUnits: 0 })).toBe(3_000);
  expect(requestsOf({ readUnits: 0, writeUnits: 2 })).toBe(500);
  expect(requestsOf({ readUnits: 1, writeUnits: 1 })).toBe(750);
});

test('the load of a table is the sum of its rows, and the units of a reserve grow with the holds', () => {
  const uses: RowUse[] = [
    { partition: 'wallet shard', readUnits: 0, writeUnits: 1, bytes: 0 },
    { partition: 'charge', readUnits: 0, writeUnits: 1, bytes: 400 },
    { partition: 'statement', readUnits: 0, writeUnits: 1, bytes: 400 },
  ];
  const [wallets, statement] = tableLoads(uses, 1_000);

  expect(statement).toEqual({ table: 'Wallets, index statement', readUnits: 0, writeUnits: 1_000 });
  expect(wallets?.writeUnits).toBeGreaterThanOrEqual(2_000);
  expect(tableLoads(uses, 10_000)[0]?.writeUnits).toBeGreaterThan(10 * Number(wallets?.writeUnits));
  expect(storageOf(uses, 1_000_000).map(({ gigabytes }) => gigabytes)).toEqual([0.5, 0.5]);
});

test('a customer with a higher rate needs more shards, keys and organisations', () => {
  const { withIdempotencyKey } = readRecorded();
  const [one, two] = [1_500, 3_000].map((rate) => customerNeeds(withIdempotencyKey, rate));

  expect(Number(two?.leastShards)).toBeGreaterThan(Number(one?.leastShards));
  expect(two?.keys).toBe(4);
  expect(one?.organisations).toBe(1);
  expect(customerNeeds(withIdempotencyKey, 3_001).organisations).toBe(2);
});
