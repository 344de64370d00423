import { describe, expect, test } from '@jest/globals';
import { get, organisation, post } from '../support/service.ts';

/** Query strings that once caused an internal error, most of them found by the fuzzer. */

const { live: key } = await organisation({ credits: 3 });
const getTransactions = (query: string) => get(`/v1/wallet/transactions?${query}`, { key });
const cursor = (...values: readonly unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

test('a statement up to a future time is the statement up to now', async () => {
  const { status, json } = await getTransactions('from=2026-01-01&to=9999-12-31');
  expect(status).toBe(200);
  expect(json?.data?.['transactions']).toHaveLength(1);
  expect(String(json?.data?.['to']) <= new Date().toISOString()).toBe(true);
});

describe('returns 400 INVALID_SCHEMA, not an internal error, for', () => {
  test.each([
    ['a day that does not exist', 'from=2026-02-30'],
    ['an hour that does not exist', 'from=2026-02-03T24:00:00Z'],
    ['a cursor with an impossible time', `cursor=${cursor('~', 1)}`],
    ['a cursor after the range', `to=2026-01-01&cursor=${cursor('2026-01-02T00:00:00.000Z#x', 1)}`],
    ['a text that is not a cursor', 'cursor=AAAA'],
    ['an empty cursor', 'cursor='],
  ])('%s', async (_, query) => {
    const { status, json } = await getTransactions(query);
    expect([status, json?.code]).toEqual([400, 'INVALID_SCHEMA']);
  });
});

test('the cursor of each page returns the next page, until the last', async () => {
  const { live } = await organisation({ credits: 3 });
  await post('/v1/ng/nin-basic', { id_number: '12345678901' }, { key: live });
  const first = await get('/v1/wallet/transactions?limit=1', { key: live });
  expect(first.json?.data?.['transactions']).toEqual([
    expect.objectContaining({ type: 'credit', amount: 3 }),
  ]);
  const next = await get(`/v1/wallet/transactions?limit=1&cursor=${first.json?.data?.['next_cursor']}`, {
    key: live,
  });
  expect(next.json?.data?.['transactions']).toEqual([expect.objectContaining({ type: 'debit', amount: -1 })]);
  expect(next.json?.data?.['next_cursor']).toBeNull();
});
