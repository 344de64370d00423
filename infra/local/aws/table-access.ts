import { REGION } from '../templates/physical-names.ts';
import { type AttributeFields, namedAttributes } from './named-attributes.ts';
import type { ConditionContext } from './policy.ts';
import { partitionKey, type Table } from './tables.ts';

interface TableAccess {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
  /** Of a customer-managed key. */
  readonly keyArn?: string | undefined;
  readonly context: ConditionContext;
}

type Attribute = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Attribute>>;

interface Request extends AttributeFields {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Readonly<Record<string, BatchRead | readonly BatchWrite[]>>;
  readonly TransactItems?: readonly Readonly<Record<string, Request>>[];
}

interface BatchRead extends Omit<AttributeFields, 'Key' | 'Item'> {
  readonly Keys?: readonly Item[];
}

interface BatchWrite {
  readonly PutRequest?: { readonly Item?: Item };
  readonly DeleteRequest?: { readonly Key?: Item };
}

/** DynamoDB guide, "Using IAM with transactions". */
const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Matches no pattern except `*`, so a condition on leading keys denies it. */
const UNKNOWN_KEY = '';

/** Also those to keys. `operation` is the name after the dot in X-Amz-Target. */
export function tableAccesses(
  operation: string,
  body: unknown,
  tables: ReadonlyMap<string, Table>,
): TableAccess[] {
  const accesses = itemAccesses(operation, body, tables);
  const keyArns = new Set(accesses.flatMap(({ keyArn }) => keyArn ?? []));
  return [...accesses, ...[...keyArns].map((keyArn) => keyAccess(keyArn, 'dynamodb'))];
}

/** A service may decrypt with the key only if its caller may. */
export function keyAccess(keyArn: string, service: 'dynamodb' | 'secretsmanager'): TableAccess {
  const context = { 'kms:ViaService': [`${service}.${REGION}.amazonaws.com`] };
  return { action: 'kms:Decrypt', resource: keyArn, context };
}

function itemAccesses(operation: string, body: unknown, tables: ReadonlyMap<string, Table>): TableAccess[] {
  const request = (body ?? {}) as Request;
  if (request.TransactItems) return transactionAccesses(operation, request.TransactItems, tables);
  if (request.RequestItems) {
    return Object.entries(request.RequestItems).map(([TableName, wanted]) =>
      access(operation, { ...(!isBatchWrite(wanted) && wanted), TableName }, tables, batchKeys(wanted)),
    );
  }
  return [access(operation, request, tables, keysOf(request))];
}

/**
 * AWS does not document whether it evaluates the leading keys of a transaction's items together, or whether
 * `ConditionCheckItem` knows the enclosing operation. Here each item has the keys of all items in its table, and a
 * condition check has no enclosing operation: what this permits, the other reading permits too.
 */
function transactionAccesses(
  operation: string,
  items: readonly Readonly<Record<string, Request>>[],
  tables: ReadonlyMap<string, Table>,
): TableAccess[] {
  const accesses = items
    .flatMap((item) => Object.entries(item))
    .map(([kind, inner]) => access(TRANSACTION_ACTIONS[kind] ?? kind, inner, tables, keysOf(inner)));
  return accesses.map((one) => {
    const inTable = accesses.filter(({ resource }) => resource === one.resource);
    const context = {
      ...one.context,
      'dynamodb:LeadingKeys': inTable.flatMap((other) => other.context['dynamodb:LeadingKeys'] ?? []),
      ...(one.action !== 'dynamodb:ConditionCheckItem' && { 'dynamodb:EnclosingOperation': [operation] }),
    };
    return { ...one, context };
  });
}

function access(
  operation: string,
  { TableName, IndexName, ...request }: Request,
  tables: ReadonlyMap<string, Table>,
  keys: readonly Item[],
): TableAccess {
  const action = `dynamodb:${operation}`;
  // A table may be named by its ARN.
  const table = tables.get(TableName?.split('/').at(-1) ?? '');
  if (!table) return { action, resource: TableName ?? '*', context: {} };
  const resource = IndexName ? `${table.arn}/index/${IndexName}` : table.arn;
  const name = partitionKey(table, IndexName) ?? '';
  const values = keys.map((key) => keyText(key[name]));
  if (operation === 'Query') values.push(queriedKey(request, name));
  const attributes = new Set([...namedAttributes(request), ...keys.flatMap((key) => Object.keys(key))]);
  const context = {
    ...(values.length > 0 && { 'dynamodb:LeadingKeys': values }),
    ...(attributes.size > 0 && { 'dynamodb:Attributes': [...attributes] }),
    ...(request.ProjectionExpression !== undefined && { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'] }),
  };
  return { action, resource, context, ...(table.keyArn && { keyArn: table.keyArn }) };
}

function keysOf({ Key, Item }: Request): Item[] {
  return [Key, Item].filter((key) => key !== undefined);
}

function batchKeys(wanted: BatchRead | readonly BatchWrite[]): readonly Item[] {
  if (!isBatchWrite(wanted)) return wanted.Keys ?? [];
  return wanted.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {});
}

function isBatchWrite(wanted: BatchRead | readonly BatchWrite[]): wanted is readonly BatchWrite[] {
  return Array.isArray(wanted);
}

function queriedKey(request: Request, name: string): string {
  const {
    KeyConditionExpression = '',
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = request;
  for (const [, left = '', right = ''] of KeyConditionExpression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((ExpressionAttributeNames[left] ?? left) === name) return keyText(ExpressionAttributeValues[right]);
  }
  return UNKNOWN_KEY;
}

function keyText(attribute: Attribute | undefined): string {
  const value = Object.values(attribute ?? {})[0];
  return typeof value === 'string' ? value : UNKNOWN_KEY;
}
