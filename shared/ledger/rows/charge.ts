import * as v from 'valibot';
import { DAY_SECONDS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { OUTCOMES } from '../../core/outcome.ts';
import type { Operation, OperationFacts } from '../operation.ts';
import { type LogDetails, type LogEntry, logDetails, type RequestCourse } from './log-entry.ts';
import { operationIdOf, type PlacedHold, type WalletShard } from './wallet.ts';

/**
 * The charge row. The first one written for an operation is final. It contains no personal data, because money rows
 * are permanent. See docs/design/ledger.md.
 */
export const charge = v.object({
  operationId: v.string(),
  state: v.picklist(['CHARGED', 'VOID']),
  requestId: v.string(),
  service: v.string(),
  keyLabel: v.string(),
  /** Whole credits. If the row is VOID, they were not taken. */
  cost: v.number(),
  outcome: v.picklist(OUTCOMES),
  httpStatus: v.number(),
  provider: v.string(),
  latencyMs: v.number(),
  requestedAt: v.string(),
  decidedAt: v.string(),
  /** The hold that a CHARGED row consumes. */
  shard: v.optional(v.number()),
  holdId: v.optional(v.string()),
});
export type Charge = v.InferOutput<typeof charge>;

/** VOID rows must outlive the idempotency row (30 days) by a wide margin; CHARGED rows never expire. */
export const VOID_LIFE_SECONDS = 60 * DAY_SECONDS;

function rowOf(operation: Operation, { course: _, ...facts }: OperationFacts, nowMs: number) {
  const { id, requestId, service, keyLabel, cost, requestedAtMs } = operation;
  const requestedAt = new Date(requestedAtMs).toISOString();
  const decidedAt = new Date(nowMs).toISOString();
  return { operationId: id, requestId, service, keyLabel, cost, ...facts, requestedAt, decidedAt };
}

/** Returns the row that charges an operation by consuming its hold. */
export function chargedRow(
  operation: Operation,
  facts: OperationFacts,
  hold: PlacedHold,
  nowMs: number,
): Charge {
  return { ...rowOf(operation, facts, nowMs), state: 'CHARGED', ...hold };
}

export function voidRow(operation: Operation, facts: OperationFacts, nowMs: number): Charge {
  return { ...rowOf(operation, facts, nowMs), state: 'VOID' };
}

/** Whether this row consumes the hold. Every other hold of the operation is released. */
export function consumes(row: Charge, hold: PlacedHold): boolean {
  return row.state === 'CHARGED' && row.shard === hold.shard && row.holdId === hold.holdId;
}

/** Returns the shard without the holds that these rows consume: they are spent, not held (contract E7). */
export function withoutSpent(row: WalletShard, charges: ReadonlyMap<string, Charge>): WalletShard {
  const { shard } = row;
  const holds = Object.entries(row.holds).filter(([holdId]) => {
    const decided = charges.get(operationIdOf(holdId));
    return !decided || !consumes(decided, { shard, holdId });
  });
  return { ...row, holds: Object.fromEntries(holds) };
}

/**
 * Returns the log row of a charge row. Except for `course`, which only the request knows, it is the same whether the
 * request, a replay or the sweeper writes it: `details` come from the request or its hold.
 */
export function logEntryOf(
  row: Charge,
  wallet: WalletId,
  numberTag: string,
  details: LogDetails,
  course: RequestCourse = {},
): LogEntry {
  return {
    wallet,
    numberTag,
    operationId: row.operationId,
    requestId: row.requestId,
    service: row.service,
    outcome: row.outcome,
    httpStatus: row.httpStatus,
    creditsCharged: row.state === 'CHARGED' ? row.cost : 0,
    provider: row.provider,
    keyLabel: row.keyLabel,
    latencyMs: row.latencyMs,
    requestedAt: row.requestedAt,
    ...logDetails(details),
    ...course,
  };
}
