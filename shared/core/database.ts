import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { setting } from './config.ts';
import { THROTTLED, traceCalls } from './trace-client.ts';

/** The DynamoDB client that table modules share, and the few things they must know about its errors. */

export type Row = Record<string, unknown>;

/**
 * A call without an answer is given up early: DynamoDB answers in milliseconds, and the request's own time is short
 * (ledger design, "The sequence").
 */
function timeouts() {
  const requestTimeout = setting('DATABASE_TIMEOUT_MS');
  return { connectionTimeout: requestTimeout / 2, requestTimeout, throwOnRequestTimeout: true };
}

/**
 * SDK retries are off where a lost answer must be seen (the reserve); elsewhere every write is safe to repeat.
 * `beside` is a client whose connections this one shares.
 */
export function connect(maxAttempts = 3, beside?: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const requestHandler = beside?.config.requestHandler ?? timeouts();
  const client = new DynamoDBClient({ maxAttempts, requestHandler });
  client.middlewareStack.use(traceCalls('DynamoDB'));
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

let shared: DynamoDBDocumentClient | undefined;

/** The one client of an instance: with one for each table, a first request would shake hands once for each. */
export function database(): DynamoDBDocumentClient {
  shared ??= connect();
  return shared;
}

/** The old row of a write whose condition failed, `{}` where there was none; undefined for any other error. */
export function refusedRow(error: unknown): Row | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return error.Item ? unmarshall(error.Item) : {};
}

/** The error names of writes that DynamoDB refused before it applied anything. */
const NOT_APPLIED = new Set(['TransactionConflictException', ...THROTTLED]);

/** True where the write certainly was not applied, so that it may be sent again at once. */
export function wasNotApplied(error: unknown): boolean {
  return error instanceof Error && NOT_APPLIED.has(error.name);
}

/** The reason codes of a cancelled transaction, one for each of its items; undefined for any other error. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}

/** True once written; false where the write's condition failed. Other errors pass. */
export async function wasApplied(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (refusedRow(error)) return false;
    throw error;
  }
}

/** Collects the rows of all pages of a query or scan: of `paginateQuery` or `paginateScan` from lib-dynamodb. */
export async function collectRows(pages: AsyncIterable<{ Items?: Row[] | undefined }>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...(page.Items ?? []));
  return rows;
}

const BATCH = 100;
const BATCH_TRIES = 5;

/** The rows of these keys in any order, read consistently; keys that have none are left out. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let first = 0; first < keys.length; first += BATCH) {
    let left: Row[] = keys.slice(first, first + BATCH);
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === BATCH_TRIES) throw new Error('The table did not return all rows of a batch.');
      const answer = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys: left, ConsistentRead: true } } }),
      );
      rows.push(...(answer.Responses?.[tableName] ?? []));
      left = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
  }
  return rows;
}
