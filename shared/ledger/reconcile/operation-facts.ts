import { DAY_MS, DAY_SECONDS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';
import { type Charge, VOID_LIFE_SECONDS } from '../rows/charge.ts';
import { type Difference, difference, type LogRow, operationSubject, operationTimeMs } from './rows.ts';

/** The facts on which the charge row and the log row of an operation must agree. */
export interface OperationFact {
  readonly wallet: WalletId;
  readonly operationId: string;
  readonly requestId: string;
  readonly outcome: Outcome;
  /** Credits taken: 0 for a VOID operation. */
  readonly credits: number;
}

export function chargeFact(row: Charge, wallet: WalletId): OperationFact {
  const { operationId, requestId, outcome, state, cost } = row;
  return { wallet, operationId, requestId, outcome, credits: state === 'CHARGED' ? cost : 0 };
}

export function logFact({
  wallet,
  operationId,
  requestId,
  outcome,
  creditsCharged,
}: Omit<OperationFact, 'credits'> & Pick<LogRow, 'creditsCharged'>): OperationFact {
  return { wallet, operationId, requestId, outcome, credits: creditsCharged };
}

/** A request and the sweeps after it take at most 3 minutes; until then its rows may still be written. */
const SETTLED_MS = 10 * 60_000;

/** Whether both rows of the operation should exist by now, and neither has expired. */
export function isComparable(fact: OperationFact, nowMs: number, logRetentionDays: number): boolean {
  const ageMs = nowMs - operationTimeMs(fact);
  const voidDays = VOID_LIFE_SECONDS / DAY_SECONDS;
  const lifeDays = fact.credits > 0 ? logRetentionDays : Math.min(logRetentionDays, voidDays);
  return ageMs > SETTLED_MS && ageMs < (lifeDays - 1) * DAY_MS;
}

/** Outcomes of operations that may never have held a credit. Without a hold there is no log row (contract E6). */
const MAYBE_WITHOUT_HOLD: ReadonlySet<Outcome> = new Set<Outcome>(['REFUSED', 'ABANDONED']);

/**
 * Whether the operation must have a row in both tables. If not, it may have a charge row alone, never a log row alone.
 */
export function mustBeLogged({ credits, outcome }: OperationFact): boolean {
  return credits > 0 || !MAYBE_WITHOUT_HOLD.has(outcome);
}

/** Returns the facts as text, without identity data. */
export function factText({ requestId, outcome, credits }: OperationFact): string {
  return `${requestId} ${outcome} ${credits}`;
}

export function logWithoutCharge(log: OperationFact): Difference {
  return difference('log-without-charge', log.wallet, operationSubject(log), 'a charge row', factText(log));
}
