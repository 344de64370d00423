import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { dayPartition, referenceIndexKey, sortByTime, timeIndexKey, type WalletId } from '../core/keys.ts';
import { OUTCOMES } from '../core/outcome.ts';
import type { LogDetails, LogEntry, RequestCourse } from '../ledger/rows/log-entry.ts';
import type { ChargeTable } from '../ledger/tables/charge-table.ts';

/** The indexes `byTime` and `byReference` of VerificationLogs, which list log rows by time. */

export const listed = v.object({
  requestId: v.string(),
  service: v.string(),
  outcome: v.picklist(OUTCOMES),
  httpStatus: v.number(),
  creditsCharged: v.number(),
  provider: v.string(),
  keyLabel: v.string(),
  latencyMs: v.number(),
  requestedAt: v.string(),
  replayOf: v.optional(v.string()),
  reference: v.optional(v.string()),
  /** Epoch seconds. Checked on read, because deletion can be up to two days late. */
  expiresAt: v.number(),
});
export const LISTED_ATTRIBUTES: readonly string[] = Object.keys(listed.entries);

export const listedRow = v.object({
  ...listed.entries,
  timeSort: v.string(),
  // The key of the row itself, which every index has.
  pk: v.string(),
  sk: v.string(),
});
export type ListedRow = v.InferOutput<typeof listed>;

type Replayed = Pick<ListedRow, 'replayOf'>;
/** The IDs of charged requests, by operation ID. */
export type ReplayedRequests = ReadonlyMap<string, string>;

/** Reads the charged requests that these rows repeat. Log rows contain only their operation IDs. */
export async function replayedRequests(
  wallet: WalletId,
  rows: readonly Replayed[],
  charges: Pick<ChargeTable, 'getCharges'>,
): Promise<ReplayedRequests> {
  const ids = new Set(rows.flatMap(({ replayOf }) => replayOf ?? []));
  const found = await charges.getCharges(wallet, [...ids]);
  return new Map(found.map(({ operationId, requestId }) => [operationId, requestId]));
}

export function replayedRequest({ replayOf }: Replayed, replayed: ReplayedRequests): string | null {
  return replayOf === undefined ? null : (replayed.get(replayOf) ?? null);
}

/** Returns the index attributes of a log row. */
export function logIndexKeys(
  wallet: WalletId,
  { operationId, requestedAt, reference }: Pick<LogEntry, 'operationId' | 'requestedAt' | 'reference'>,
) {
  return {
    timeKey: timeIndexKey(wallet, requestedAt.slice(0, 10), dayPartition(operationId)),
    timeSort: sortByTime(requestedAt, operationId),
    ...(reference !== undefined && { referenceKey: referenceKeyOf(wallet, reference) }),
  };
}

/** Returns the partition of a reference in `byReference`. */
export function referenceKeyOf(wallet: WalletId, reference: string): string {
  return referenceIndexKey(wallet, createHash('sha256').update(reference).digest('hex').slice(0, 32));
}

/**
 * Returns the parts of a log row or entry that an erasure keeps: nothing that the caller sent or how it matched, and nothing
 * that identifies the idempotency row.
 */
export function withoutDetails<
  T extends LogDetails & Pick<RequestCourse, 'matchOverall'> & { readonly referenceKey?: string },
>({
  consent: _consent,
  reason: _reason,
  reference: _reference,
  referenceKey: _referenceKey,
  idempotencyHash: _hash,
  matchOverall: _match,
  ...rest
}: T) {
  return rest;
}
