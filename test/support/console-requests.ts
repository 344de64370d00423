import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { setting } from '../../shared/core/config.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { chargeKey, logKey, requestIndexKey, type WalletId } from '../../shared/core/keys.ts';
import type { Charge } from '../../shared/ledger/rows/charge.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import { logIndexKeys } from '../../shared/verifications/listed-log.ts';
import { database } from './console.ts';

/** Requests of an organisation, written as rows, so that a test can have many, or old ones, at once. */

export const newRequestId = () => `req_${randomBytes(6).toString('hex')}`;

/** A log row of a request that found a record. */
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

/** The item of a log row, as the service writes it. */
export function logItem({ wallet, numberTag, ...entry }: LogEntry) {
  return {
    ...logKey(wallet, numberTag, entry.operationId),
    ...entry,
    requestKey: requestIndexKey(wallet, entry.requestId),
    ...logIndexKeys(wallet, entry),
    expiresAt: Math.floor(Date.parse(entry.requestedAt) / 1000) + 365 * 24 * 3600,
  };
}

/** Writes items in batches, several at once. */
export async function putItems(tableName: string, items: readonly object[], atOnce = 4): Promise<void> {
  const batches: object[][] = [];
  for (let first = 0; first < items.length; first += 25) batches.push(items.slice(first, first + 25));
  const next = async (): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      let requests = batch.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      while (requests.length > 0) {
        const command = new BatchWriteCommand({ RequestItems: { [tableName]: requests } });
        const { UnprocessedItems = {} } = await database.send(command);
        requests = (UnprocessedItems[tableName] ?? []) as typeof requests;
        if (requests.length > 0) await setTimeout(50);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

export async function putRequests(entries: readonly LogEntry[]): Promise<void> {
  await putItems(setting('VERIFICATION_LOGS_TABLE'), entries.map(logItem));
}

/** Stores a request that found a record and was charged. */
export async function putChargedRequest(
  wallet: WalletId,
  { decidedAt, ...changes }: Partial<LogEntry> & { readonly decidedAt?: string } = {},
): Promise<LogEntry> {
  const entry = logEntry(wallet, changes);
  const charge: Charge = {
    operationId: entry.operationId,
    state: 'CHARGED',
    requestId: entry.requestId,
    service: entry.service,
    keyLabel: entry.keyLabel,
    cost: entry.creditsCharged,
    outcome: entry.outcome,
    httpStatus: entry.httpStatus,
    provider: entry.provider,
    latencyMs: entry.latencyMs,
    requestedAt: entry.requestedAt,
    decidedAt: decidedAt ?? entry.requestedAt,
    shard: 0,
    holdId: `${entry.operationId}.1`,
  };
  await putRequests([entry]);
  await putItems(setting('WALLETS_TABLE'), [{ ...chargeKey(wallet, entry.operationId), ...charge }]);
  return entry;
}
