import { DAY_MS, DAY_SECONDS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';
import { VOID_LIFE_SECONDS } from '../rows/charge.ts';
import {
  type ChargeRow,
  type Difference,
  difference,
  type LogRow,
  operationSubject,
  operationTimeMs,
} from './rows.ts';

export interface OperationFact {
  readonly wallet: WalletId;
  readonly operationId: string;
  readonly requestId: string;
  readonly service: string;
  readonly outcome: Outcome;
  /** ISO time. */
  readonly requestedAt: string;
  /** Credits taken: 0 for a VOID operation. */
  readonly credits: number;
  readonly provider: string;
  readonly keyLabel: string;
  readonly httpStatus: number;
  readonly latencyMs: number;
}

export function chargeFact(row: ChargeRow): OperationFact {
  return factOf(row, row.state === 'CHARGED' ? row.cost : 0);
}

export function logFact(row: LogRow): OperationFact {
  return factOf(row, row.creditsCharged);
}

function factOf(row: ChargeRow | LogRow, credits: number): OperationFact {
  const { wallet, operationId, requestId, service, outcome, requestedAt } = row;
  const { provider, keyLabel, httpStatus, latencyMs } = row;
  const facts = { provider, keyLabel, httpStatus, latencyMs };
  return { wallet, operationId, requestId, service, outcome, requestedAt, credits, ...facts };
}

/** A request and the sweeps after it take at most 3 minutes; until then its rows may still be written. */
const SETTLED_MS = 10 * 60_000;

/** Whether both rows should exist by now, and neither has expired. */
export function isComparable(fact: OperationFact, nowMs: number, logRetentionDays: number): boolean {
  const ageMs = nowMs - operationTimeMs(fact);
  const voidDays = VOID_LIFE_SECONDS / DAY_SECONDS;
  const lifeDays = fact.credits > 0 ? logRetentionDays : Math.min(logRetentionDays, voidDays);
  return ageMs > SETTLED_MS && ageMs < (lifeDays - 1) * DAY_MS;
}

/** Outcomes of operations that may never have held a credit. Without a hold there is no log row (contract E6). */
const MAYBE_WITHOUT_HOLD: ReadonlySet<Outcome> = new Set<Outcome>(['REFUSED', 'ABANDONED']);

/** If not, it may have a charge row alone, never a log row alone. */
export function mustBeLogged({ credits, outcome }: OperationFact): boolean {
  return credits > 0 || !MAYBE_WITHOUT_HOLD.has(outcome);
}

/** Both rows of an operation have the same text if they agree. No identity data. */
export function factText(fact: OperationFact): string {
  const { service, requestedAt, provider, keyLabel, httpStatus, latencyMs } = fact;
  return `${shortText(fact)} ${service} ${requestedAt} ${JSON.stringify([provider, keyLabel, httpStatus, latencyMs])}`;
}

function shortText({ requestId, outcome, credits }: OperationFact): string {
  return `${requestId} ${outcome} ${credits}`;
}

/** Either row may be missing. */
export function compareFacts(
  charge: OperationFact | undefined,
  log: OperationFact | undefined,
): Difference[] {
  const fact = charge ?? log;
  if (!fact) return [];
  const report = (...[kind, expected, found]: [Difference['kind'], string, string]) => [
    difference(kind, fact.wallet, operationSubject(fact), expected, found),
  ];
  if (!charge) return report('log-without-charge', 'a charge row', shortText(fact));
  if (!log) return report('charge-without-log', shortText(charge), 'none');
  const [expected, found] = [factText(charge), factText(log)];
  return expected === found ? [] : report('log-disagrees', expected, found);
}
