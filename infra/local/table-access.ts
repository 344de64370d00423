import type { ConditionContext } from './policy.ts';
import { partitionKey, type Table } from './tables.ts';

/** What a DynamoDB request does to which table or index: the questions that its caller's policies must answer. */
export interface TableAccess {
  /** For example `dynamodb:PutItem`. */
  readonly action: string;
  /** The ARN of a table or of an index. */
  readonly resource: string;
  readonly context: ConditionContext;
}

type Attribute = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Attribute>>;

/** The parts of request bodies that say which table and which keys are meant. */
interface Request {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys?: readonly Item[] } | readonly BatchWrite[]>
  >;
  readonly TransactItems?: readonly Readonly<Record<string, Request>>[];
}

interface BatchWrite {
  readonly PutRequest?: { readonly Item?: Item };
  readonly DeleteRequest?: { readonly Key?: Item };
}

/** The rights that each part of a transaction needs (DynamoDB developer guide, "Using IAM with transactions"). */
const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** A key that could not be read: it matches no pattern but `*`, so a rule on leading keys refuses it. */
const UNREADABLE = '';

/** All accesses of one request; `operation` is the name after the dot in X-Amz-Target. */
export function tableAccesses(
  operation: string,
  body: unknown,
  tables: ReadonlyMap<string, Table>,
): TableAccess[] {
  const request = (body ?? {}) as Request;
  if (request.TransactItems) {
    return request.TransactItems.flatMap((part) =>
      Object.entries(part).map(([kind, inner]) =>
        access(TRANSACTION_ACTIONS[kind] ?? kind, inner, tables, keysOf(inner)),
      ),
    );
  }
  if (request.RequestItems) {
    return Object.entries(request.RequestItems).map(([TableName, wanted]) =>
      access(operation, { TableName }, tables, batchKeys(wanted)),
    );
  }
  return [access(operation, request, tables, keysOf(request))];
}

function access(
  operation: string,
  { TableName, IndexName, ...request }: Request,
  tables: ReadonlyMap<string, Table>,
  keys: readonly Item[],
): TableAccess {
  const action = `dynamodb:${operation}`;
  // A table may be named by its ARN too; one that is not in the templates is asked for as it was written.
  const table = tables.get(TableName?.split('/').at(-1) ?? '');
  if (!table) return { action, resource: TableName ?? '*', context: {} };
  const resource = IndexName ? `${table.arn}/index/${IndexName}` : table.arn;
  const name = partitionKey(table, IndexName) ?? '';
  const values = keys.map((key) => textOf(key[name]));
  if (operation === 'Query') values.push(queriedKey(request, name));
  return { action, resource, context: values.length > 0 ? { 'dynamodb:LeadingKeys': values } : {} };
}

function keysOf({ Key, Item }: Request): Item[] {
  return [Key, Item].filter((key) => key !== undefined);
}

function batchKeys(wanted: { readonly Keys?: readonly Item[] } | readonly BatchWrite[]): readonly Item[] {
  if (!isWrites(wanted)) return wanted.Keys ?? [];
  return wanted.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {});
}

function isWrites(
  wanted: { readonly Keys?: readonly Item[] } | readonly BatchWrite[],
): wanted is readonly BatchWrite[] {
  return Array.isArray(wanted);
}

/** The value that a query's key condition compares the partition key with. */
function queriedKey(request: Request, name: string): string {
  const {
    KeyConditionExpression = '',
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = request;
  for (const [, left = '', right = ''] of KeyConditionExpression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((ExpressionAttributeNames[left] ?? left) === name) return textOf(ExpressionAttributeValues[right]);
  }
  return UNREADABLE;
}

function textOf(attribute: Attribute | undefined): string {
  const value = Object.values(attribute ?? {})[0];
  return typeof value === 'string' ? value : UNREADABLE;
}
