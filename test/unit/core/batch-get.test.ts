import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  batchGet,
  batchGetAcross,
  batchGetWithSpare,
  isTableFailure,
  type Row,
} from '../../../shared/core/database.ts';

/** Reads of several rows when DynamoDB leaves some out. The test clock advances only during pauses and calls. */

interface Request {
  readonly RequestItems: Readonly<Record<string, { Keys: Row[]; ConsistentRead?: boolean }>>;
}

/** The keys of each call, as `table pk`. */
let calls: string[][];
let pauses: number[];
let nowMs: number;
let random: number;
/** Returns whether a call leaves out a row. `call` is its number, counted from 1. */
let leavesOut: (pk: string, call: number) => boolean;
let callMs: number;

beforeEach(() => {
  [calls, pauses, nowMs, random, callMs] = [[], [], 1_000, 0.5, 0];
  leavesOut = () => false;
});

const clock = {
  nowMs: () => nowMs,
  random: () => random,
  async pause(ms: number) {
    pauses.push(ms);
    nowMs += ms;
  },
};

const client = {
  async send({ input }: { input: Request }) {
    nowMs += callMs;
    const wanted = Object.entries(input.RequestItems).flatMap(([table, { Keys, ConsistentRead }]) => {
      expect(ConsistentRead).toBe(true);
      return Keys.map((key) => ({ table, key }));
    });
    calls.push(wanted.map(({ table, key }) => `${table} ${key['pk']}`));
    const Responses: Record<string, Row[]> = {};
    const UnprocessedKeys: Record<string, { Keys: Row[] }> = {};
    for (const { table, key } of wanted) {
      if (leavesOut(String(key['pk']), calls.length)) {
        UnprocessedKeys[table] ??= { Keys: [] };
        UnprocessedKeys[table].Keys.push(key);
      } else {
        Responses[table] ??= [];
        Responses[table].push({ ...key, value: 1 });
      }
    }
    return { Responses, UnprocessedKeys };
  },
} as unknown as DynamoDBDocumentClient;

const key = (pk: string) => ({ pk, sk: 'ROW' });
const read = (...pks: string[]) => batchGet(client, 'ApiKeys', pks.map(key), clock);
const names = (rows: readonly Row[] = []) => rows.map((row) => row['pk']);

describe('a read of several rows', () => {
  test('that returns all rows takes one call without a pause', async () => {
    expect(names(await read('a', 'b'))).toEqual(['a', 'b']);
    expect([calls, pauses]).toEqual([[['ApiKeys a', 'ApiKeys b']], []]);
  });

  test('of no keys takes no call', async () => {
    expect(await read()).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('pauses, reads again only the rows that were left out, and keeps the others', async () => {
    leavesOut = (pk, call) => pk === 'hot' && call < 4;
    expect(names(await read('a', 'hot', 'b'))).toEqual(['a', 'b', 'hot']);
    expect(calls).toEqual([
      ['ApiKeys a', 'ApiKeys hot', 'ApiKeys b'],
      ['ApiKeys hot'],
      ['ApiKeys hot'],
      ['ApiKeys hot'],
    ]);
    expect(pauses).toEqual([15, 30, 60]);
  });

  test('across tables reads again only the table of the row that was left out', async () => {
    leavesOut = (pk, call) => pk === 'hot' && call === 1;
    const keys = { Console: [key('a')], ApiKeys: [key('hot')], Wallets: [] };
    const rows = await batchGetAcross(client, keys, clock);

    expect([names(rows['Console']), names(rows['ApiKeys'])]).toEqual([['a'], ['hot']]);
    expect(calls).toEqual([['Console a', 'ApiKeys hot'], ['ApiKeys hot']]);
  });

  test('of more than 100 keys takes one call for each 100', async () => {
    const pks = Array.from({ length: 101 }, (_, index) => `k${index}`);
    expect(names(await read(...pks))).toEqual(pks);
    expect(calls.map(({ length }) => length)).toEqual([100, 1]);
  });
});

describe('the pauses between calls', () => {
  test.each([
    [0, [10, 20, 40, 80, 160, 160, 160]],
    [0.999, [19.99, 39.98, 79.96, 159.92, 319.84, 319.84, 319.84]],
  ])('double up to a limit, and at most half of each is random (%d)', async (share, expected) => {
    random = share;
    leavesOut = (_, call) => call < 8;
    await read('hot');
    expect(pauses).toEqual(expected.map((ms) => expect.closeTo(ms, 5)));
  });

  test.each([0, 0.5, 0.999])(
    'end within 2 s, after a limited number of calls (random part %d)',
    async (share) => {
      random = share;
      leavesOut = (pk) => pk === 'hot';
      await expect(read('a', 'hot')).rejects.toThrow('The table did not return all rows of a batch.');

      expect(nowMs - 1_000).toBeLessThanOrEqual(2_000);
      expect(nowMs - 1_000).toBeGreaterThan(1_600);
      expect(calls.length).toBe(pauses.length + 1);
      expect(calls.length).toBeLessThanOrEqual(16);
    },
  );

  test('end earlier if the calls take time', async () => {
    [callMs, random] = [900, 0.5];
    leavesOut = () => true;
    await expect(read('hot')).rejects.toThrow();
    expect(calls).toHaveLength(3);
  });
});

test('a row that is always left out is reported as a throttled table', async () => {
  leavesOut = () => true;
  const error = await read('hot').catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ name: 'ThrottlingException' });
  expect(isTableFailure(error)).toBe(true);
});

describe('spare rows, which the caller can do without,', () => {
  const readWithSpare = (required: string[], spare: string[]) =>
    batchGetWithSpare(client, 'ApiKeys', { required: required.map(key), spare: spare.map(key) }, clock);

  test('are read in the same call', async () => {
    const { rows, leftOut } = await readWithSpare(['a'], ['b']);
    expect([names(rows), leftOut]).toEqual([['a', 'b'], []]);
    expect(calls).toEqual([['ApiKeys a', 'ApiKeys b']]);
  });

  test('are neither read again nor waited for', async () => {
    leavesOut = (pk) => pk === 'hot';
    const { rows, leftOut } = await readWithSpare(['a'], ['hot', 'b']);

    expect([names(rows), leftOut]).toEqual([['a', 'b'], [key('hot')]]);
    expect([calls.length, pauses]).toEqual([1, []]);
  });

  test('are not read again with required rows', async () => {
    leavesOut = (_, call) => call === 1;
    const { rows, leftOut } = await readWithSpare(['a'], ['hot']);

    expect([names(rows), leftOut]).toEqual([['a'], [key('hot')]]);
    expect(calls).toEqual([['ApiKeys a', 'ApiKeys hot'], ['ApiKeys a']]);
  });

  test('do not prevent an error if a required row stays throttled', async () => {
    leavesOut = (pk) => pk === 'a';
    await expect(readWithSpare(['a'], ['b'])).rejects.toMatchObject({ name: 'ThrottlingException' });
  });
});
