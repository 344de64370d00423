import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DAY_SECONDS } from '../../shared/core/clock.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { logKey, requestIndexKey, type WalletId } from '../../shared/core/keys.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import { logIndexKeys } from '../../shared/verifications/listed-log.ts';

/** Log rows as the service writes them, for tests and rigs that need many rows or old ones. */

export const newRequestId = () => `req_${randomBytes(6).toString('hex')}`;

export function logEntry(wallet: WalletId, changes: Partial<LogEntry> = {}): LogEntry {
  const { requestedAt = new Date().toISOString() } = changes;
  return {
    wallet,
    numberTag: `v1.${randomBytes(16).toString('hex')}`,
    operationId: newOperationId(Date.parse(requestedAt)),
    requestId: newRequestId(),
    service: 'nin-basic',
    outcome: 'FOUND',
    httpStatus: 200,
    creditsCharged: 1,
    provider: 'sandbox',
    keyLabel: 'backend',
    latencyMs: 412,
    requestedAt,
    ...changes,
  };
}

/** Returns the item of a log row, as the service writes it. */
export function logItem({ wallet, numberTag, ...entry }: LogEntry) {
  return {
    ...logKey(wallet, numberTag, entry.operationId),
    ...entry,
    requestKey: requestIndexKey(wallet, entry.requestId),
    ...logIndexKeys(wallet, entry),
    expiresAt: Math.floor(Date.parse(entry.requestedAt) / 1000) + 365 * DAY_SECONDS,
  };
}

export async function putItems(
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly object[],
  atOnce = 4,
): Promise<void> {
  const batches: object[][] = [];
  for (let first = 0; first < items.length; first += 25) batches.push(items.slice(first, first + 25));
  const next = async (): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      let requests = batch.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      while (requests.length > 0) {
        const command = new BatchWriteCommand({ RequestItems: { [tableName]: requests } });
        const { UnprocessedItems = {} } = await client.send(command);
        requests = (UnprocessedItems[tableName] ?? []) as typeof requests;
        if (requests.length > 0) await setTimeout(50);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
