import { setting } from '../../shared/core/config.ts';
import { chargeKey, type WalletId } from '../../shared/core/keys.ts';
import type { Charge } from '../../shared/ledger/rows/charge.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import { database } from './console.ts';
import { logEntry, logItem, putItems } from './log-rows.ts';

/** Writes rows for an organisation's requests to the tables of the running service. */

export async function putRequests(entries: readonly LogEntry[]): Promise<void> {
  await putItems(database, setting('VERIFICATION_LOGS_TABLE'), entries.map(logItem));
}

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
  await putItems(database, setting('WALLETS_TABLE'), [
    { ...chargeKey(wallet, entry.operationId), ...charge },
  ]);
  return entry;
}
