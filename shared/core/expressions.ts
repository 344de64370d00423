import {
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  type ScanCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { collectRows, getRow, type Row, type RowUpdate } from './database.ts';
import type { RowKey } from './keys.ts';

/** Builds the expressions of DynamoDB from text with values, and the writes and queries that contain them. */

type Token = string | { readonly name: string } | { readonly value: unknown };

export class Expression {
  readonly tokens: readonly Token[];
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }
}

const WORD = /\b([A-Za-z_]\w*)\b(?!\s*\()/;
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'SET', 'REMOVE', 'ADD', 'DELETE']);

/**
 * Returns a condition. The words in the text are attribute names, so that reserved words are permitted too.
 */
export function where(texts: TemplateStringsArray, ...parts: readonly unknown[]): Expression {
  return new Expression(
    texts.flatMap((text, index) => [
      ...text.split(WORD).map((word, at) => (at % 2 === 0 || KEYWORDS.has(word) ? word : { name: word })),
      ...(index < parts.length ? tokensOf(parts[index]) : []),
    ]),
  );
}

/** Returns the change of an update, such as `SET state = ${state} REMOVE dueAt`. */
export const change = where;

/** Returns the change that sets these attributes, and removes those whose value is null or undefined. */
export function changeTo(values: Readonly<Record<string, unknown>>): Expression {
  const names = Object.keys(values);
  const removed = names.filter((name) => (values[name] ?? null) === null);
  const set = names.filter((name) => !removed.includes(name));
  const assignments = set.map((name) => where`${attribute(name)} = ${values[name]}`);
  return where`${set.length > 0 ? where`SET ${joined(assignments)} ` : NOTHING}${removal(removed)}`;
}

/** Returns the part of a change that removes these attributes. It is empty if there are none. */
export const removal = (names: readonly string[]): Expression =>
  names.length > 0 ? where`REMOVE ${joined(names.map(attribute))}` : NOTHING;

/** Returns an attribute whose name is not known in advance. */
export const attribute = (name: string): Expression => new Expression([{ name }]);

export const joined = (parts: readonly unknown[], separator = ', '): Expression =>
  new Expression(parts.flatMap((part, index) => [...(index > 0 ? [separator] : []), ...tokensOf(part)]));

const NOTHING = new Expression([]);
const tokensOf = (part: unknown) => (part instanceof Expression ? part.tokens : [{ value: part }]);

/** The condition that there is no row with the key yet, and that there is one. */
export const ABSENT = where`attribute_not_exists(pk)`;
export const PRESENT = where`attribute_exists(pk)`;

function placed<T extends Readonly<Record<string, Expression>>>(expressions: T) {
  const names: string[] = [];
  const values: unknown[] = [];
  const textOf = (token: Token) => {
    if (typeof token === 'string') return token;
    if ('value' in token) return `:v${values.push(token.value) - 1}`;
    if (!names.includes(token.name)) names.push(token.name);
    return `#n${names.indexOf(token.name)}`;
  };
  const texts = Object.entries(expressions).map(([key, { tokens }]) => [key, tokens.map(textOf).join('')]);
  return {
    ...(Object.fromEntries(texts) as { [K in keyof T]: string }),
    ExpressionAttributeNames:
      names.length > 0 ? Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) : undefined,
    ExpressionAttributeValues:
      values.length > 0 ? Object.fromEntries(values.map((value, index) => [`:v${index}`, value])) : undefined,
  };
}

// The writes of a transaction, or of `sendWrite`.

export function put(TableName: string, Item: Row, condition: Expression) {
  return { Put: { TableName, Item, ...placed({ ConditionExpression: condition }) } };
}

export function update(TableName: string, Key: RowKey, changed: Expression, condition: Expression) {
  return { Update: { TableName, Key, ...rowUpdate(changed, condition) } };
}

export function remove(TableName: string, Key: RowKey, condition: Expression) {
  return { Delete: { TableName, Key, ...placed({ ConditionExpression: condition }) } };
}

export function check(TableName: string, Key: RowKey, condition: Expression) {
  return { ConditionCheck: { TableName, Key, ...placed({ ConditionExpression: condition }) } };
}

/** Returns an update for `updateRow`. */
export function rowUpdate(changed: Expression, condition: Expression): RowUpdate {
  return placed({ UpdateExpression: changed, ConditionExpression: condition });
}

/** Sends one write that is not part of a transaction. Throws if its condition fails (see `wasApplied`). */
export async function sendWrite(
  client: DynamoDBDocumentClient,
  write: { Put: PutCommandInput } | { Update: UpdateCommandInput },
): Promise<void> {
  if ('Put' in write) await client.send(new PutCommand(write.Put));
  else await client.send(new UpdateCommand(write.Update));
}

/** Like `sendWrite`. It is a function of its own, because most bundles need no DeleteCommand. */
export async function sendDelete(
  client: DynamoDBDocumentClient,
  { Delete }: { Delete: DeleteCommandInput },
): Promise<void> {
  await client.send(new DeleteCommand(Delete));
}

// Reads.

/** Of these attributes only. */
export const projection = (names: readonly string[]) =>
  placed({ ProjectionExpression: joined(names.map(attribute)) });

type QueryOptions = Partial<QueryCommandInput> & {
  readonly filter?: Expression | undefined;
  /** @default all attributes */
  readonly attributes?: readonly string[];
};

/** Returns a query for the rows with these keys. By default, its reads of a table are consistent. */
export function query(
  TableName: string,
  keys: Expression,
  { filter, attributes, ...options }: QueryOptions = {},
) {
  const expressions = placed({
    KeyConditionExpression: keys,
    ...(filter && { FilterExpression: filter }),
    ...(attributes && { ProjectionExpression: joined(attributes.map(attribute)) }),
  });
  return { TableName, ConsistentRead: options.IndexName === undefined, ...expressions, ...options };
}

/** Returns a scan for the rows that the filter permits. By default, its reads are consistent. */
export function scan(TableName: string, filter: Expression, options: Partial<ScanCommandInput> = {}) {
  return { TableName, ConsistentRead: true, ...placed({ FilterExpression: filter }), ...options };
}

/** Sends one call of a query. */
export const readPage = (client: DynamoDBDocumentClient, input: QueryCommandInput) =>
  client.send(new QueryCommand(input));

/** Returns all rows of a query, parsed. */
export async function listRows<T>(
  client: DynamoDBDocumentClient,
  schema: v.GenericSchema<unknown, T>,
  input: QueryCommandInput,
): Promise<T[]> {
  const rows = await collectRows(paginateQuery({ client }, input));
  return rows.map((row) => v.parse(schema, row));
}

/** Returns a row, read consistently and parsed. Returns undefined if there is none. */
export async function readRow<T>(
  client: DynamoDBDocumentClient,
  schema: v.GenericSchema<unknown, T>,
  tableName: string,
  key: RowKey,
): Promise<T | undefined> {
  const row = await getRow(client, tableName, key);
  return row && v.parse(schema, row);
}
