import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { accountRate, holdBytes, shardBytes, walletRate, wallsTable } from './walls.ts';

test('the rate of a wallet is limited by write units, or by 100 holds', () => {
  // 1,000 units a second: at most one write of one unit per millisecond.
  expect(walletRate(1, 1)).toBeLessThan(1_000);
  // 100 holds of 20.015 s each.
  expect(walletRate(20_000, 1)).toBe(4);
  expect(walletRate(300, 8)).toBeGreaterThanOrEqual(8 * walletRate(300, 1));
  expect(accountRate(950, 1_000)).toBe(1_000);
});

test('docs/design/performance.md states the calculated sizes and rates', () => {
  const page = readFileSync('docs/design/performance.md', 'utf8');
  expect(page).toContain(`An empty shard is ${shardBytes()} bytes, and each hold adds ${holdBytes()} bytes.`);
  expect(page).toContain(wallsTable());
});
