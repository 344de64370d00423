import { expect, test } from '@jest/globals';
import { holds } from '../../ledger/storage/expressions.ts';

test('the in-memory store rejects reserved words as DynamoDB does, unless a name replaces them', () => {
  const row = { consumed: 1, spent: 1 };
  const values = { ':one': 1 };
  expect(() => holds('consumed = :one', row, { names: {}, values })).toThrow(
    'DynamoDB reserves the word consumed',
  );
  expect(holds('#consumed = :one', row, { names: { '#consumed': 'consumed' }, values })).toBe(true);
  expect(holds('spent = :one', row, { names: {}, values })).toBe(true);
});

test.each([
  ['absent <> :text', true],
  ['spent <> :text', true],
  ['spent <> :one', false],
  ['absent = :text', false],
  ['absent < :text', false],
  ['spent < :text', false],
])('the in-memory store evaluates %s as DynamoDB does', (condition, expected) => {
  expect(holds(condition, { spent: 1 }, { names: {}, values: { ':text': 'x', ':one': 1 } })).toBe(expected);
});
