import { describe, expect, test } from '@jest/globals';
import type { SentCall } from '../stage/wire.ts';
import { countUnits, itemBytes } from './units.ts';

const call = (operation: string, input: object, answer: object = {}): SentCall => ({
  ...{ operation, status: 200, startedMs: 0, endedMs: 0 },
  input: input as SentCall['input'],
  answer: answer as SentCall['answer'],
});

describe('the size of an item as DynamoDB calculates it', () => {
  test.each([
    ['names and strings as UTF-8', { pk: { S: 'Ọ' } }, 2 + 3],
    ['numbers: one byte for every two digits, and one more', { n: { N: '1234' } }, 1 + 3],
    ['zeros at the ends of a number are free', { n: { N: '1000' } }, 1 + 2],
    ['a map: three bytes, and one for each part', { m: { M: { a: { S: 'b' } } } }, 1 + 3 + 1 + 2],
    ['a list', { l: { L: [{ S: 'b' }, { BOOL: true }] } }, 1 + 3 + 2 + 2],
  ])('%s', (_, item, bytes) => {
    expect(itemBytes(item)).toBe(bytes);
  });
});

describe('units', () => {
  test('a row that is also in an index is written twice', () => {
    const item = { pk: { S: 'x' }, statementKey: { S: 'y' } };
    expect(countUnits([call('PutItem', { Item: item })])).toEqual({ readUnits: 0, writeUnits: 2 });
  });

  test('a log row is written once more for each of its indexes', () => {
    const item = { requestKey: { S: 'x' }, timeKey: { S: 'y' }, timeSort: { S: 'z' } };
    expect(countUnits([call('PutItem', { Item: item })]).writeUnits).toBe(3);
    const found = { ...item, referenceKey: { S: 'r' } };
    expect(countUnits([call('PutItem', { Item: found })]).writeUnits).toBe(4);
  });

  test('a row takes a write unit for each kilobyte or part of one', () => {
    const item = { pk: { S: 'x'.repeat(1100) } };
    expect(countUnits([call('PutItem', { Item: item })]).writeUnits).toBe(2);
  });

  test('a read of a key without an item also takes a unit', () => {
    const input = { RequestItems: { T: { Keys: [{}, {}, {}] } } };
    const answer = { Responses: { T: [{ pk: { S: 'x' } }, { pk: { S: 'x'.repeat(5000) } }] } };
    expect(countUnits([call('BatchGetItem', input, answer)]).readUnits).toBe(4);
  });

  test('a call that no verification sends is rejected', () => {
    expect(() => countUnits([call('TransactWriteItems', {})])).toThrow('No verification sends');
  });
});
