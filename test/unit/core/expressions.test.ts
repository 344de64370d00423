import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  ABSENT,
  attribute,
  change,
  changeTo,
  check,
  type Expression,
  joined,
  listRows,
  PRESENT,
  put,
  query,
  removal,
  remove,
  rowUpdate,
  scan,
  sendDelete,
  sendWrite,
  update,
  where,
} from '../../../shared/core/expressions.ts';

/** Expressions, and the calls that contain them. */

const KEY = { pk: 'a', sk: 'b' };
const conditionOf = (condition: Expression) => check('Console', KEY, condition).ConditionCheck;
const changeOf = (changed: Expression) => rowUpdate(changed, PRESENT);

test('each name and value of a condition gets a placeholder, and keywords and functions do not', () => {
  const condition = where`status IN (${'A'}, ${'B'}) AND (NOT size(list) BETWEEN ${1} AND ${2} OR attribute_not_exists(status))`;
  expect(conditionOf(condition)).toEqual({
    TableName: 'Console',
    Key: KEY,
    ConditionExpression:
      '#n0 IN (:v0, :v1) AND (NOT size(#n1) BETWEEN :v2 AND :v3 OR attribute_not_exists(#n0))',
    ExpressionAttributeNames: { '#n0': 'status', '#n1': 'list' },
    ExpressionAttributeValues: { ':v0': 'A', ':v1': 'B', ':v2': 1, ':v3': 2 },
  });
});

test('a value is never read as an expression, whatever it contains', () => {
  const value = { tokens: ['pk = pk'], name: 'status' };
  expect(conditionOf(where`name = ${value} OR name = ${'x OR attribute_exists(pk)'}`)).toMatchObject({
    ConditionExpression: '#n0 = :v0 OR #n0 = :v1',
    ExpressionAttributeValues: { ':v0': value, ':v1': 'x OR attribute_exists(pk)' },
  });
});

test('expressions can contain others, and attributes whose name is not known in advance', () => {
  const lease = attribute('p#org');
  const isFree = where`attribute_not_exists(${lease}) OR ${lease}.untilMs < ${5}`;
  expect(conditionOf(joined([where`state = ${'ON'}`, where`(${isFree})`], ' AND '))).toMatchObject({
    ConditionExpression: '#n0 = :v0 AND (attribute_not_exists(#n1) OR #n1.#n2 < :v1)',
    ExpressionAttributeNames: { '#n0': 'state', '#n1': 'p#org', '#n2': 'untilMs' },
  });
});

test('the expressions of an update share their names, and have values of their own', () => {
  const changed = change`SET usedAt = ${2}, total = if_not_exists(total, ${0}) + ${1} ADD ids ${new Set(['x'])} REMOVE old`;
  expect(update('Console', KEY, changed, where`usedAt < ${2}`)).toEqual({
    Update: {
      TableName: 'Console',
      Key: KEY,
      UpdateExpression: 'SET #n0 = :v0, #n1 = if_not_exists(#n1, :v1) + :v2 ADD #n2 :v3 REMOVE #n3',
      ConditionExpression: '#n0 < :v4',
      ExpressionAttributeNames: { '#n0': 'usedAt', '#n1': 'total', '#n2': 'ids', '#n3': 'old' },
      ExpressionAttributeValues: { ':v0': 2, ':v1': 0, ':v2': 1, ':v3': new Set(['x']), ':v4': 2 },
    },
  });
});

describe('a change to some values', () => {
  test.each([
    ['sets them', { name: 'a', count: 0 }, 'SET #n0 = :v0, #n1 = :v1', ['name', 'count', 'pk']],
    [
      'removes null and undefined',
      { a: null, b: '', c: undefined },
      'SET #n0 = :v0 REMOVE #n1, #n2',
      [...'bac'],
    ],
    ['only removes', { a: undefined }, 'REMOVE #n0', ['a', 'pk']],
  ])('%s', (_, values, text, names) => {
    const { UpdateExpression, ExpressionAttributeNames = {} } = changeOf(changeTo(values));
    expect(UpdateExpression.trim()).toBe(text);
    expect(Object.values(ExpressionAttributeNames).slice(0, names.length)).toEqual(names);
  });

  test('can be followed by removals, of which there may be none', () => {
    const textOf = (names: readonly string[]) =>
      changeOf(change`${changeTo({ a: 1 })} ${removal(names)}`)
        .UpdateExpression.replaceAll(/\s+/g, ' ')
        .trim();
    expect([textOf(['b', 'c']), textOf([])]).toEqual(['SET #n0 = :v0 REMOVE #n1, #n2', 'SET #n0 = :v0']);
  });
});

function clientWith(Items: readonly object[]) {
  const sent: object[] = [];
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: { readonly input: object }) => {
      sent.push([command.constructor.name, command.input]);
      return { Items };
    },
  });
  return { client, sent };
}

test('every write carries its condition', async () => {
  const { client, sent } = clientWith([]);
  await sendWrite(client, put('Console', KEY, ABSENT));
  await sendDelete(client, remove('Console', KEY, PRESENT));
  await sendWrite(client, update('Console', KEY, changeTo({ a: 1 }), PRESENT));
  expect(sent).toMatchObject([
    ['PutCommand', { Item: KEY, ConditionExpression: 'attribute_not_exists(#n0)' }],
    ['DeleteCommand', { Key: KEY, ConditionExpression: 'attribute_exists(#n0)' }],
    ['UpdateCommand', { Key: KEY, ConditionExpression: 'attribute_exists(#n1)' }],
  ]);
});

test('a query reads a table consistently, unless it says otherwise, and an index never', async () => {
  const keys = where`pk = ${'a'}`;
  expect(query('Console', keys)).toMatchObject({ ConsistentRead: true, KeyConditionExpression: '#n0 = :v0' });
  expect(query('Console', keys, { ConsistentRead: false })).toMatchObject({ ConsistentRead: false });
  const input = query('Console', keys, { IndexName: 'due', Limit: 3, filter: where`state = ${'ON'}` });
  expect(input).toMatchObject({
    ConsistentRead: false,
    IndexName: 'due',
    Limit: 3,
    FilterExpression: '#n1 = :v1',
    ExpressionAttributeValues: { ':v0': 'a', ':v1': 'ON' },
  });
  expect(scan('Console', keys)).toMatchObject({ ConsistentRead: true, FilterExpression: '#n0 = :v0' });
});

test('rows are parsed', async () => {
  const { client } = clientWith([{ pk: 'a', used: 1 }]);
  const rows = listRows(client, v.object({ used: v.number() }), query('Console', where`pk = ${'a'}`));
  expect(await rows).toEqual([{ used: 1 }]);
  await expect(
    listRows(client, v.object({ used: v.string() }), query('Console', where`pk = ${'a'}`)),
  ).rejects.toThrow('Invalid type');
});
