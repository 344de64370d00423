import { DynamoDBDocumentClient, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import {
  type RejectedRequest,
  rejectedRequestTable,
} from '../../../shared/accounts/rejected-request-table.ts';
import { MINUTE_MS } from '../../../shared/core/clock.ts';

/** The number and content of the rows that a function instance writes for rejected requests. */

const NOON = Date.parse('2026-11-22T12:00:00.000Z');

/** Returns a table whose queries return these rows. */
function tableWith(Items: readonly object[]) {
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async () => ({ Items }),
  });
  return rejectedRequestTable(client, 'ApiKeys');
}

/** Returns a new function instance, and the rows that it writes: the sort key and the number of requests. */
function instance() {
  const writes: UpdateCommandInput[] = [];
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async ({ input }: { input: UpdateCommandInput }) => void writes.push(input),
  });
  const table = rejectedRequestTable(client, 'ApiKeys');
  return {
    writes,
    rows: () =>
      writes.map(({ Key, ExpressionAttributeValues = {} }) => [
        Key?.['sk'],
        Object.values(ExpressionAttributeValues).at(-2),
      ]),
    async reject(count: number, requestedAtMs: number, changes: Partial<RejectedRequest> = {}) {
      for (let sent = 0; sent < count; sent += 1)
        await table.record({
          wallet: { env: 'live', organisationId: 'made-up' },
          key: { hash: 'a'.repeat(64), label: 'backend' },
          code: 'INVALID_SCHEMA',
          requestId: `req_${sent}`,
          route: 'nin-basic',
          requestedAtMs,
          ...changes,
        });
    },
  };
}

test('an instance writes one row for each key, code and minute, however many requests are rejected', async () => {
  const { reject, rows } = instance();
  await reject(500, NOON + 1);
  await reject(500, NOON + MINUTE_MS - 1, { code: 'RATE_LIMITED' });
  await reject(500, NOON, { key: { hash: 'b'.repeat(64), label: 'other' } });
  expect(rows()).toEqual([
    ['live#2026-11-22T12:00:00.000Z#INVALID_SCHEMA#aaaaaaaaaaaa', 1],
    ['live#2026-11-22T12:00:00.000Z#RATE_LIMITED#aaaaaaaaaaaa', 1],
    ['live#2026-11-22T12:00:00.000Z#INVALID_SCHEMA#bbbbbbbbbbbb', 1],
  ]);
});

test('requests after the first in a minute are counted in the next row, unless it follows more than 10 minutes later', async () => {
  const { reject, rows } = instance();
  await reject(5, NOON);
  await reject(3, NOON + 2 * MINUTE_MS);
  await reject(1, NOON + 12 * MINUTE_MS);
  await reject(4, NOON + 13 * MINUTE_MS);
  await reject(1, NOON + 24 * MINUTE_MS);
  expect(rows().map(([, count]) => count)).toEqual([1, 5, 3, 1, 1]);
});

test('a request that began before the last row of its instance needs no separate row', async () => {
  const { reject, rows } = instance();
  await reject(1, NOON + MINUTE_MS);
  await reject(1, NOON);
  expect(rows()).toHaveLength(1);
});

test('a row contains no data that the caller sent, and expires after 7 days', async () => {
  const { reject, writes } = instance();
  await reject(1, NOON + 59_999);
  expect(writes[0]?.Key).toEqual({
    pk: 'REJECTED#made-up#2026-11-22',
    sk: 'live#2026-11-22T12:00:00.000Z#INVALID_SCHEMA#aaaaaaaaaaaa',
  });
  expect(Object.values(writes[0]?.ExpressionAttributeValues ?? {})).toEqual([
    'INVALID_SCHEMA',
    'backend',
    'req_0',
    'nin-basic',
    Date.parse('2026-11-29T12:00:00.000Z') / 1000,
    1,
    1_000_000,
  ]);
});

test('a row contains the reason and the documented field of its example, but no name that the caller invented', async () => {
  const { reject, writes } = instance();
  await reject(1, NOON, { details: { reason: 'wrong_format', field: 'id_number' } });
  await reject(1, NOON + MINUTE_MS, { details: { reason: 'unknown_field', field: 'Amaka Obi' } });
  const [known, unknown] = writes.map(({ ExpressionAttributeValues = {} }) =>
    Object.values(ExpressionAttributeValues),
  );
  expect(known).toEqual(expect.arrayContaining(['wrong_format', 'id_number']));
  expect(unknown).toContain('unknown_field');
  expect(unknown).not.toContain('Amaka Obi');
});

test('a list omits expired rows, and rows with a code that this version does not know', async () => {
  const row = (code: string, expiresAtMs = NOON + MINUTE_MS) => ({
    sk: `live#2026-11-22T12:00:00.000Z#${code}#aaaaaaaaaaaa`,
    rejected: 2,
    errorCode: code,
    keyLabel: 'backend',
    requestId: 'req_0',
    route: 'nin-basic',
    expiresAt: expiresAtMs / 1000,
  });
  const table = tableWith([row('RATE_LIMITED'), row('CODE_OF_ANOTHER_VERSION'), row('INVALID_SCHEMA', NOON)]);
  const wallet = { env: 'live', organisationId: 'made-up' } as const;
  const range = { from: '2026-11-22T00:00:00.000Z', before: '2026-11-23T00:00:00.000Z' };
  const listed: string[] = [];
  for await (const { errorCode } of table.ofDay(wallet, '2026-11-22', range, NOON)) listed.push(errorCode);
  expect(listed).toEqual(['RATE_LIMITED']);
});
