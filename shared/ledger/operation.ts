import type { WalletId } from '../core/keys.ts';
import type { Outcome } from '../core/outcome.ts';
import { type LogDetails, logDetails, type RequestCourse } from './rows/log-entry.ts';
import { HOLD_LIFE_MS, type Hold, type PlacedHold } from './rows/wallet.ts';

/** One attempt at a charged request: what all its rows have in common. */
export interface Operation extends LogDetails {
  /** ULID, generated for each request. */
  readonly id: string;
  readonly wallet: WalletId;
  readonly requestId: string;
  readonly service: string;
  /** Whole credits. */
  readonly cost: number;
  readonly keyLabel: string;
  readonly numberTag: string;
  /** API Gateway's own request time in epoch milliseconds, so that a cold start uses up part of the time budget. */
  readonly requestedAtMs: number;
}

/** How the request went, as the charge row and the log row store it. */
export interface OperationFacts {
  readonly outcome: Outcome;
  readonly httpStatus: number;
  /** The provider that returned the result or failed; empty if none was called. */
  readonly provider: string;
  readonly latencyMs: number;
  /** For the log row only. Absent if the row is not written by the request itself. */
  readonly course?: RequestCourse;
}

/** Returns the facts of a request that ended before any provider returned a result. */
export function factsWithoutLookUp(outcome: Outcome, httpStatus: number): OperationFacts {
  return { outcome, httpStatus, provider: '', latencyMs: 0 };
}

/** Returns the hold that reserves the operation's cost. */
export function holdOf(operation: Operation): Hold {
  const { requestId, cost, service, keyLabel, numberTag, requestedAtMs } = operation;
  return {
    requestId,
    cost,
    service,
    keyLabel,
    numberTag,
    expiresAtMs: requestedAtMs + HOLD_LIFE_MS,
    ...logDetails(operation),
  };
}

/** An operation with its hold. */
export interface HeldOperation {
  readonly operation: Operation;
  readonly hold: PlacedHold;
}
