import { describe, expect, test } from '@jest/globals';
import { get, organisation, post } from '../support/service.ts';

/** Query strings of statements: mainly those that once caused an internal error, most of them found by the fuzzer. */

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
    ['a day that does not exist', 'from=2026-02-30', 'wrong_format', 'from'],
    ['an hour that does not exist', 'from=2026-02-03T24:00:00Z', 'wrong_format', 'from'],
    ['a cursor with an impossible time', `cursor=${cursor('~', 1)}`, 'wrong_format', 'cursor'],
    [
      'a cursor after the range',
      `to=2026-01-01&cursor=${cursor('2026-01-02T00:00:00.000Z#x', 1)}`,
      'wrong_value',
      'cursor',
    ],
    ['a string that is not a cursor', 'cursor=AAAA', 'wrong_format', 'cursor'],
    ['an empty cursor', 'cursor=', 'wrong_format', 'cursor'],
    ['a range that ends before it begins', 'from=2026-02-02&to=2026-02-01', 'wrong_value', 'from'],
    ['a parameter sent twice', 'limit=1&limit=2', 'duplicate_field', 'limit'],
    ['a page of a million', 'limit=1000000', 'wrong_format', 'limit'],
    ['an empty page', 'limit=0', 'wrong_format', 'limit'],
    ['a negative page', 'limit=-1', 'wrong_format', 'limit'],
    ['a power of ten', 'limit=1e3', 'wrong_format', 'limit'],
    ['an unknown parameter', 'page=2', 'unknown_field', 'page'],
    ['a parameter named like a number', '12345678901=1', 'unknown_field', '****'],
  ])('%s, and names the parameter', async (_, query, reason, field) => {
    const { status, json } = await getTransactions(query);
    expect([status, json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(json?.error).toEqual({ reason, field, hint: expect.stringMatching(/^[A-Z].*[.?]$/) });
    expect(json?.message).toContain(json?.error?.hint);
  });

  test('a misspelt parameter, and suggests the right one', async () => {
    const { json } = await getTransactions('limits=2');
    expect(json?.message).toBe('Unknown query parameter "limits". Did you mean "limit"?');
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
