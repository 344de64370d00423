import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { clientSettings, removeUnusedMiddleware } from './aws-client.ts';
import type { Clock } from './clock.ts';
import { setting } from './config.ts';
import type { RowKey } from './keys.ts';
import { readAgain } from './read-again.ts';
import { THROTTLED, traceCalls } from './trace-client.ts';

/** The DynamoDB client that table modules share, and what they need to know about its errors. */

export type Row = Record<string, unknown>;

/** Returns short timeouts: DynamoDB responds within milliseconds, and a request has little time (docs/design/ledger.md). */
function timeouts() {
  const requestTimeout = setting('DATABASE_TIMEOUT_MS');
  return { connectionTimeout: requestTimeout / 2, requestTimeout, throwOnRequestTimeout: true };
}

/**
 * Creates a client. `maxAttempts` is 1 for writes that the SDK must not retry: the reserve, because the ledger must
 * notice lost responses; CHARGED and log rows, because the ledger checks the time before it sends them again; and
 * counts of rejected requests, because a retry could count one twice. It is also 1 for the health check.
 */
export function connect(maxAttempts = 3, sharing?: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const requestHandler = sharing?.config.requestHandler ?? timeouts();
  const settings = clientSettings('AWS_ENDPOINT_URL_DYNAMODB');
  const client = new DynamoDBClient({ ...settings, maxAttempts, requestHandler });
  removeUnusedMiddleware(client);
  client.middlewareStack.use(traceCalls('DynamoDB'));
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

let shared: DynamoDBDocumentClient | undefined;

/** Returns the client of this instance. */
export function database(): DynamoDBDocumentClient {
  shared ??= connect();
  return shared;
}

let sharedOnce: DynamoDBDocumentClient | undefined;

/** Returns the client for writes that the SDK must not retry. */
export function databaseWithoutRetries(): DynamoDBDocumentClient {
  sharedOnce ??= connect(1, database());
  return sharedOnce;
}

/**
 * Returns the existing row if the condition of a write failed, `{}` if there is none, and undefined for any other
 * error.
 */
export function rowOfFailedCondition(error: unknown): Row | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return error.Item ? unmarshall(error.Item) : {};
}

/** Returns the row in an event of a stream. Numbers are text if JavaScript cannot read one of them. */
export function rowOfImage(image: object | undefined): Row | undefined {
  if (!image) return undefined;
  const attributes = image as Parameters<typeof unmarshall>[0];
  try {
    return unmarshall(attributes);
  } catch {
    return unmarshall(attributes, { wrapNumbers: String });
  }
}

/** Errors of writes that DynamoDB rejected before it applied anything. */
const NOT_APPLIED = new Set(['TransactionConflictException', ...THROTTLED]);

/** Whether the write was certainly not applied, so that it may be retried at once. */
export function wasNotApplied(error: unknown): boolean {
  return error instanceof Error && NOT_APPLIED.has(error.name);
}

/** Returns the reason codes of a cancelled transaction, one for each item, or undefined for any other error. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}

/** Errors that are caused by a table, by the connection to it or by a lack of access. */
const TABLE_FAILURES = new Set([
  ...NOT_APPLIED,
  'TransactionInProgressException',
  'AccessDeniedException',
  'TimeoutError',
  'RequestTimeout',
  'AbortError',
  'NetworkingError',
]);

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Reason codes of transactions that DynamoDB cancelled because of other calls. */
const BUSY = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Whether the table was busy, failed or could not be reached, so that the error says nothing about the rows of the
 * call: conflicts, throttling, timeouts, no connection, no access, and 5xx.
 */
export function isTableFailure(error: unknown): boolean {
  const codes = cancellationCodes(error);
  if (codes) return codes.every((code) => BUSY.has(code)) && codes.some((code) => code !== 'None');
  const { name = '', code = '', $metadata, $retryable } = Object(error) as CallError;
  const isRetryable = $retryable !== undefined || ($metadata?.httpStatusCode ?? 0) >= 500;
  return isRetryable || TABLE_FAILURES.has(name) || NO_CONNECTION.has(code);
}

interface CallError {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $retryable?: object;
}

/** Returns true if the write was applied, and false if its condition failed. Throws other errors. */
export async function wasApplied(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (rowOfFailedCondition(error)) return false;
    throw error;
  }
}

/** Returns a row, read consistently. Returns undefined if there is none. */
export async function getRow(
  client: DynamoDBDocumentClient,
  tableName: string,
  key: RowKey,
): Promise<Row | undefined> {
  const command = new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true });
  return (await client.send(command)).Item;
}

export interface RowUpdate {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether an update was applied, and the row: the updated one, or, if it was not applied, the existing one. */
export interface UpdatedRow {
  readonly isApplied: boolean;
  readonly row: Row;
}

/** Sends one conditional update. */
export async function updateRow(
  client: DynamoDBDocumentClient,
  tableName: string,
  key: RowKey,
  update: RowUpdate,
  returned: 'UPDATED_NEW' | 'ALL_NEW' | 'ALL_OLD' = 'UPDATED_NEW',
): Promise<UpdatedRow> {
  try {
    const { Attributes = {} } = await client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: key,
        UpdateExpression: update.UpdateExpression,
        ConditionExpression: update.ConditionExpression,
        ExpressionAttributeNames: update.ExpressionAttributeNames,
        ExpressionAttributeValues: update.ExpressionAttributeValues,
        ReturnValues: returned,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { isApplied: true, row: Attributes };
  } catch (error) {
    const row = rowOfFailedCondition(error);
    if (!row) throw error;
    return { isApplied: false, row };
  }
}

/** Collects the rows of all pages that `paginateQuery` or `paginateScan` of lib-dynamodb yields. */
export async function collectRows(pages: AsyncIterable<{ Items?: Row[] | undefined }>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...(page.Items ?? []));
  return rows;
}

const BATCH = 100;

/**
 * Returns the rows of these keys in any order, read consistently. Rows that DynamoDB leaves out because it throttles
 * their reads are read again for up to 2 s. After that, throws a throttling error.
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Row[],
  clock?: Clock,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let first = 0; first < keys.length; first += BATCH) {
    const found = await batchGetAcross(client, { [tableName]: keys.slice(first, first + BATCH) }, clock);
    rows.push(...(found[tableName] ?? []));
  }
  return rows;
}

type KeysByTable = readonly (readonly [string, readonly Row[]])[];

/** Like `batchGet`, for several tables in one round trip, with at most 100 keys in all. */
export async function batchGetAcross(
  client: DynamoDBDocumentClient,
  keys: Readonly<Record<string, readonly Row[]>>,
  clock?: Clock,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const rows: Record<string, Row[]> = {};
  const wanted: KeysByTable = Object.entries(keys).filter(([, some]) => some.length > 0);
  await readAgain(wanted, (left) => readOnce(client, left, rows), clock);
  return rows;
}

interface RowsAndLeftOut {
  readonly rows: readonly Row[];
  readonly leftOut: readonly RowKey[];
}

/**
 * Reads rows of one table like `batchGet`, with at most 100 keys. The caller can do without the `spare` rows: if
 * DynamoDB throttles their reads, they are left out and not read again, so that the request does not wait for them.
 */
export async function batchGetWithSpare(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: { readonly required: readonly RowKey[]; readonly spare: readonly RowKey[] },
  clock?: Clock,
): Promise<RowsAndLeftOut> {
  const { required, spare } = keys;
  const rows: Record<string, Row[]> = {};
  const leftOut: RowKey[] = [];
  async function read(wanted: KeysByTable): Promise<KeysByTable> {
    const left = (await readOnce(client, wanted, rows)).flatMap(([, some]) => some);
    const isLeft = ({ pk, sk }: RowKey) => left.some((key) => key['pk'] === pk && key['sk'] === sk);
    leftOut.push(...spare.filter(isLeft));
    const again = required.filter(isLeft);
    return again.length > 0 ? [[tableName, again.map((key) => ({ ...key }))]] : [];
  }
  const all = [...required, ...spare].map((key) => ({ ...key }));
  await readAgain(all.length > 0 ? [[tableName, all]] : [], read, clock);
  return { rows: rows[tableName] ?? [], leftOut };
}

/** Sends one call, adds what it found to `rows`, and returns the keys that DynamoDB left out. */
async function readOnce(
  client: DynamoDBDocumentClient,
  keys: KeysByTable,
  rows: Record<string, Row[]>,
): Promise<KeysByTable> {
  const requests = keys.map(([table, some]) => [table, { Keys: [...some], ConsistentRead: true }]);
  const command = new BatchGetCommand({ RequestItems: Object.fromEntries(requests) });
  const { Responses = {}, UnprocessedKeys = {} } = await client.send(command);
  for (const [table, found] of Object.entries(Responses)) rows[table] = [...(rows[table] ?? []), ...found];
  return Object.entries(UnprocessedKeys).map(([table, { Keys = [] }]) => [table, Keys] as const);
}
