import type { WalletId } from '../core/keys.ts';
import type { Outcome } from '../core/outcome.ts';
import { HOLD_LIFE_MS, type Hold, type PlacedHold } from './rows/wallet.ts';

/** One attempt at a charged request: what all its rows have in common. */
export interface Operation {
  /** ULID, drawn for each request. */
  readonly id: string;
  readonly wallet: WalletId;
  readonly requestId: string;
  readonly service: string;
  /** Whole credits. */
  readonly cost: number;
  readonly keyLabel: string;
  readonly numberTag: string;
  /** API Gateway's own request time, epoch milliseconds: a cold start eats the budget and cannot overrun it. */
  readonly requestedAtMs: number;
  /** References for the log row, as the caller gave them (decision A3). */
  readonly consent?: string;
  readonly reason?: string;
}

/** How the request went: what the charge row and the log row tell of it. */
export interface OperationFacts {
  /** FOUND, NOT_FOUND, FAILED, UNREACHABLE, TIMEOUT, ERROR, REFUSED, ABANDONED. */
  readonly outcome: Outcome;
  readonly httpStatus: number;
  /** The provider that answered or failed; empty where none was asked. */
  readonly provider: string;
  readonly latencyMs: number;
}

/** The facts of a request that ended before any provider returned a result. */
export function factsWithoutLookUp(outcome: Outcome, httpStatus: number): OperationFacts {
  return { outcome, httpStatus, provider: '', latencyMs: 0 };
}

/** The limits of one request, in epoch milliseconds (ledger design, "The sequence"). */
export interface TimeBudget {
  /** No decision CHARGED begins after this instant: the gateway could have told the caller "timeout" already. */
  readonly chargeByMs: number;
  /** By then there is an answer, whatever happens. */
  readonly respondByMs: number;
  readonly holdExpiresAtMs: number;
}

const CHARGE_BY_MS = 25_500;
const ANSWER_BY_MS = 27_500;
const REGISTRY_BY_MS = 24_000;

export function timeBudget(requestedAtMs: number): TimeBudget {
  return {
    chargeByMs: requestedAtMs + CHARGE_BY_MS,
    respondByMs: requestedAtMs + ANSWER_BY_MS,
    holdExpiresAtMs: requestedAtMs + HOLD_LIFE_MS,
  };
}

/** When to stop waiting for the registry: 24 s after the request began, or `timeoutMs` from now. */
export function registryDeadlineMs(requestedAtMs: number, nowMs: number, timeoutMs: number): number {
  return Math.min(nowMs + timeoutMs, requestedAtMs + REGISTRY_BY_MS);
}

export function holdOf(operation: Operation): Hold {
  const { requestId, cost, service, keyLabel, numberTag, requestedAtMs } = operation;
  return {
    requestId,
    cost,
    service,
    keyLabel,
    numberTag,
    expiresAtMs: timeBudget(requestedAtMs).holdExpiresAtMs,
  };
}

/** An operation with its hold. */
export interface HeldOperation {
  readonly operation: Operation;
  readonly placed: PlacedHold;
}
