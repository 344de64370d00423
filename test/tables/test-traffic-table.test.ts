import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  type UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MOST_TEST_TRAFFIC } from '../../infra/stages/check-capacity.ts';
import type { TestTrafficLimits } from '../../shared/accounts/test-traffic.ts';
import { testTrafficTable } from '../../shared/accounts/test-traffic-table.ts';
import { DAY_SECONDS } from '../../shared/core/clock.ts';
import { TEST_TRAFFIC_KEY } from '../../shared/core/keys.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';
import { itemBytes } from '../rigs/bench/cost/units.ts';

/** Tests the budget for test traffic with real conditional writes, at times that the tests choose. */

const T = Date.parse('2026-11-22T12:00:00Z');
const LIMITS: TestTrafficLimits = {
  requestsPerSecond: 20,
  concurrentRequests: 8,
  perOrganisation: { requestsPerSecond: 10, concurrentRequests: 3 },
};
const PATIENT: TestTrafficLimits = {
  ...LIMITS,
  concurrentRequests: 100,
  perOrganisation: { requestsPerSecond: 10, concurrentRequests: 100 },
};

let local: StateTable;
let operations = 0;
beforeAll(async () => {
  local = await openStateTable();
});
afterAll(() => local.close());
beforeEach(async () => {
  await local.client.send(new DeleteCommand({ TableName: local.tableName, Key: TEST_TRAFFIC_KEY }));
  local.commands();
});

async function readRow() {
  const { Item = {} } = await local.client.send(
    new GetCommand({ TableName: local.tableName, Key: TEST_TRAFFIC_KEY, ConsistentRead: true }),
  );
  return Item;
}

/** Begins a look-up. `row` is the row that it has read, by default the current one. */
async function take(organisationId: string, atMs = T, limits = LIMITS, row?: Record<string, unknown>) {
  operations += 1;
  const operationId = `01KADA3CV5Y2M2J1Q0${String(operations).padStart(8, '0')}`;
  const isApproved = !organisationId.startsWith('new');
  const request = { organisationId, isApproved, operationId, row: row ?? (await readRow()) };
  return testTrafficTable(local.client, local.tableName, limits).take(request, atMs);
}

const release = (taken: Awaited<ReturnType<typeof take>>) =>
  taken.kind === 'taken'
    ? testTrafficTable(local.client, local.tableName, LIMITS).release(taken.lease)
    : Promise.reject(new Error('It was rejected.'));

const kinds = (results: readonly Awaited<ReturnType<typeof take>>[]) =>
  results.map((result) => (result.kind === 'taken' ? 'taken' : result.limit));

describe('look-ups in progress', () => {
  test('of one organisation are limited exactly, even if 200 begin at once', async () => {
    const results = await Promise.all(Array.from({ length: 200 }, () => take('one', T, LIMITS, {})));

    expect(kinds(results).filter((kind) => kind === 'taken')).toHaveLength(3);
    const limits = new Set(kinds(results).filter((kind) => kind !== 'taken'));
    expect([...limits]).toEqual(['test-traffic-organisation']);
  });

  test('of organisations that are not approved are limited to half, and one person’s five to less', async () => {
    const limits = { ...LIMITS, concurrentRequests: 50 };
    const begin = async (names: readonly string[]) => {
      const results = await Promise.all(
        names.map((name) => take(name, T, { ...limits, requestsPerSecond: 1_000 }, {})),
      );
      return kinds(results).filter((kind) => kind === 'taken').length;
    };
    const many = (prefix: string, organisations: number) =>
      Array.from({ length: 200 }, (_, index) => `${prefix}${index % organisations}`);

    expect(await begin(many('new', 5))).toBe(15);
    expect(await begin(many('new-other', 20))).toBe(10);
    expect(await begin(many('approved', 20))).toBe(25);
  });

  test('of all organisations are limited exactly, even if 200 begin at once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `org${index % 20}`);
    const results = await Promise.all(names.map((name) => take(name, T, LIMITS, {})));

    expect(kinds(results).filter((kind) => kind === 'taken')).toHaveLength(8);
  });

  test('of one organisation leave room for another', async () => {
    for (let index = 0; index < 3; index += 1) await take('one');
    expect(await take('one')).toEqual({
      kind: 'rejected',
      limit: 'test-traffic-organisation',
      retryAfterSeconds: 2,
    });
    expect((await take('two')).kind).toBe('taken');
  });

  test('give their place back once, when they end', async () => {
    const [first] = [await take('one'), await take('one'), await take('one')];
    await release(first);
    await release(first);

    expect(kinds([await take('one'), await take('one')])).toEqual(['taken', 'test-traffic-organisation']);
  });

  test('of killed functions give their place back after 30 s', async () => {
    for (const name of ['one', 'two', 'three']) {
      for (let index = 0; index < 3; index += 1) await take(name);
    }
    expect(kinds([await take('one', T + 29_000), await take('four', T + 29_000)])).toEqual([
      'test-traffic-organisation',
      'test-traffic-stage',
    ]);
    expect(kinds([await take('one', T + 30_000), await take('four', T + 30_000)])).toEqual([
      'taken',
      'taken',
    ]);
    // The expired look-ups are no longer in the row.
    const row = await readRow();
    expect(row['p']).toEqual(new Set([...(row['p#one'] as Set<string>), ...(row['p#four'] as Set<string>)]));
  });

  test('take the last place if the SDK repeats the update because its response was lost', async () => {
    const client = {
      send: async (command: UpdateCommand) => {
        await local.client.send(command);
        return local.client.send(command);
      },
    } as unknown as DynamoDBDocumentClient;
    const one = { requestsPerSecond: 10, concurrentRequests: 1 };
    const table = testTrafficTable(client, local.tableName, { ...one, perOrganisation: one });
    const operationId = '01KADA3CV5Y2M2J1Q0REPEATED';
    const taken = await table.take({ organisationId: 'one', isApproved: true, operationId, row: {} }, T);

    expect(taken.kind).toBe('taken');
    await release(taken);
    expect(await readRow()).not.toHaveProperty('p');
  });

  test('that began after the row was read are counted', async () => {
    const row = await readRow();
    for (let index = 0; index < 3; index += 1) await take('one');
    expect((await take('one', T, LIMITS, row)).kind).toBe('rejected');
  });
});

describe('requests per second', () => {
  test('are limited for one organisation and for all together, and counted separately for each second', async () => {
    const results = [];
    for (const name of ['one', 'two', 'three'])
      for (let index = 0; index < 11; index += 1) results.push(await take(name, T, PATIENT));

    expect(kinds(results).filter((kind) => kind === 'taken')).toHaveLength(20);
    expect(results[10]).toEqual({
      kind: 'rejected',
      limit: 'test-traffic-organisation',
      retryAfterSeconds: 1,
    });
    expect(results[22]).toMatchObject({ limit: 'test-traffic-stage', retryAfterSeconds: 1 });
    expect((await take('one', T + 1_000, PATIENT)).kind).toBe('taken');
  });
});

describe('the row of test traffic', () => {
  test('is written once when a look-up begins, but not if it shows that the budget is used up', async () => {
    await take('one', T, LIMITS, {});
    expect(local.commands()).toEqual(['UpdateItemCommand']);
    for (let index = 0; index < 2; index += 1) await take('one');
    const row = await readRow();
    local.commands();
    await take('one', T, LIMITS, row);
    expect(local.commands()).toEqual([]);
  });

  test('expires a day after the last look-up, and contains no counts of seconds that have ended', async () => {
    await release(await take('one', T));
    await release(await take('two', T + 10_000));
    expect(await readRow()).toEqual({
      ...TEST_TRAFFIC_KEY,
      expiresAt: (T + 10_000) / 1000 + DAY_SECONDS,
      [`r${(T + 10_000) / 1000}`]: 1,
      [`r${(T + 10_000) / 1000}#two`]: 1,
    });
  });

  test('stays small enough for DynamoDB to accept the writes under the largest budget that a stage may set', async () => {
    const limits = {
      requestsPerSecond: MOST_TEST_TRAFFIC,
      concurrentRequests: MOST_TEST_TRAFFIC,
      perOrganisation: { requestsPerSecond: 1, concurrentRequests: 1 },
    };
    // Each look-up is for a different organisation, which makes the row as large as possible. Those of the previous
    // second have just ended.
    for (const second of [0, 1]) {
      const names = Array.from({ length: MOST_TEST_TRAFFIC }, (_, index) => `${second}000org${index + 10}`);
      const results = await Promise.all(names.map((name) => take(name, T + second * 1_000, limits)));
      expect(new Set(kinds(results))).toEqual(new Set(['taken']));
      if (second === 0) await Promise.all(results.map(release));
    }
    const bytes = itemBytes(withoutSets(marshall(await readRow())));
    const unitsPerSecond = Math.ceil(bytes / 1024) * 2 * MOST_TEST_TRAFFIC;

    expect(bytes).toBeGreaterThan(5_000);
    expect(unitsPerSecond).toBeLessThan(1_000);
  });
});

/** Replaces sets with lists, because `itemBytes` does not accept sets. It counts lists as slightly larger. */
function withoutSets(item: object): Record<string, object> {
  const entries = Object.entries(item).map(([name, value]: [string, { SS?: string[] }]) => [
    name,
    value.SS ? { L: value.SS.map((text) => ({ S: text })) } : value,
  ]);
  return Object.fromEntries(entries);
}
