import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../shared/core/clock.ts';
import { slipAttemptsKey } from '../../shared/core/keys.ts';
import { type AttemptsTable, attemptsTable } from '../../shared/slips/attempts-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** The attempts of a token in DynamoDB Local: ten at first, then one each week. */

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const WEEK_MS = 7 * DAY_MS;
let tables: StateTable;
let attempts: AttemptsTable;
beforeAll(async () => {
  tables = await openStateTable();
  attempts = attemptsTable(tables.client, tables.tableName);
});
afterAll(() => tables.close());

async function rowOf(name: string) {
  const { Item } = await tables.client.send(
    new GetCommand({ TableName: tables.tableName, Key: slipAttemptsKey(name), ConsistentRead: true }),
  );
  return Item;
}

async function takeAll(name: string, count: number, nowMs = NOW_MS): Promise<boolean[]> {
  const taken: boolean[] = [];
  for (let at = 0; at < count; at += 1) taken.push((await attempts.take(name, nowMs)).isAllowed);
  return taken;
}

describe('the attempts of a token', () => {
  test('are limited to ten, and then to one each week', async () => {
    expect(await takeAll('ten', 11)).toEqual([...Array(10).fill(true), false]);
    expect(await attempts.take('ten', NOW_MS)).toEqual({
      isAllowed: false,
      nextAt: new Date(NOW_MS + WEEK_MS),
    });
    expect(await takeAll('ten', 1, NOW_MS + WEEK_MS - 1)).toEqual([false]);
    expect(await takeAll('ten', 2, NOW_MS + WEEK_MS)).toEqual([true, false]);
    expect(await takeAll('ten', 2, NOW_MS + 2 * WEEK_MS)).toEqual([true, false]);
  });

  test('are limited to ten even if 40 are made at once', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => attempts.take('at-once', NOW_MS)));
    expect(all.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
  });

  test('that match are given back, but never more than ten are available', async () => {
    for (let at = 0; at < 12; at += 1) {
      expect(await takeAll('matching', 1)).toEqual([true]);
      await attempts.giveBack('matching', NOW_MS);
    }
    await attempts.giveBack('matching', NOW_MS);
    expect(await takeAll('matching', 11)).toEqual([...Array(10).fill(true), false]);
  });

  test('are all available again after ten weeks, when the row expires', async () => {
    await takeAll('free', 10);
    const row = await rowOf('free');
    expect(row?.['expiresAt']).toBe((NOW_MS + 10 * WEEK_MS) / 1000);
    expect(await takeAll('free', 11, NOW_MS + 10 * WEEK_MS)).toEqual([...Array(10).fill(true), false]);
  });

  test('do not count for another token', async () => {
    await takeAll('one', 10);
    expect(await takeAll('other', 1)).toEqual([true]);
  });

  test('are stored only as times', async () => {
    await takeAll('stored', 3);
    expect(await rowOf('stored')).toEqual({
      ...slipAttemptsKey('stored'),
      usedUntilMs: NOW_MS + 3 * WEEK_MS,
      expiresAt: (NOW_MS + 3 * WEEK_MS) / 1000,
    });
  });
});
