import { isTableFailure } from '../../core/database.ts';
import { withDeadline } from '../../core/deadline.ts';
import { entryOf, ServiceError } from '../../core/errors.ts';
import { timeBudget } from '../../core/time-budget.ts';
import { chargeOperation, finishReplay, voidOperation } from '../../ledger/end-operation.ts';
import { factsWithoutLookUp, type Operation, type OperationFacts } from '../../ledger/operation.ts';
import type { Charge } from '../../ledger/rows/charge.ts';
import type { RequestCourse } from '../../ledger/rows/log-entry.ts';
import type { PlacedHold } from '../../ledger/rows/wallet.ts';
import type { FoundResult, VerificationResult } from '../result.ts';
import type { LookUpDependencies } from './dependencies.ts';

export type CreditState =
  /** Nothing is claimed or reserved, so there is nothing to settle. */
  | { readonly kind: 'none' }
  /**
   * The idempotency key is claimed, but there is no hold. `settle` voids the claim, so that a retry can take over at
   * once.
   */
  | { readonly kind: 'claimed'; readonly operation: Operation }
  | { readonly kind: 'held'; readonly operation: Operation; readonly hold: PlacedHold }
  | Replay
  | Settled;

export interface Replay {
  readonly kind: 'replay';
  readonly operation: Operation;
  readonly of: Charge;
  readonly keyHash: string;
}

export interface Settled {
  readonly kind: 'settled';
  /** Whole credits charged for this request. */
  readonly creditsCharged: number;
  readonly result: VerificationResult | ServiceError;
  readonly replayOf?: Charge;
}

/** How the request ended: with the result of the look-up and its facts, or with an error. */
export type RequestEnd = { readonly result: VerificationResult; readonly facts: OperationFacts } | FailedEnd;

interface FailedEnd {
  readonly error: unknown;
  readonly course?: RequestCourse;
}

/**
 * The caller waits at most this long for a hold to be released. After that, the sweeper releases it (docs/design/ledger.md).
 */
const RELEASE_WAIT_MS = 1000;

type Dependencies = Pick<LookUpDependencies, 'ledger' | 'memory' | 'clock'>;

/**
 * Decides whether a customer is charged. No other code charges: the sweeper and retries can only void. A reserved
 * credit is charged if the record was found, and released otherwise. Only a charged record may be returned. A free
 * replay charges nothing. Never throws: an outcome that cannot be confirmed becomes OUTCOME_UNKNOWN. A state that is
 * already settled does not change, so a failed settlement never releases a hold whose charge may be durable.
 */
export async function settle(state: CreditState, end: RequestEnd, deps: Dependencies): Promise<CreditState> {
  switch (state.kind) {
    case 'none':
    case 'settled':
      return state;
    case 'claimed':
      return release(state.operation, undefined, end, deps);
    case 'held':
      if ('error' in end || end.result.kind !== 'found')
        return release(state.operation, state.hold, end, deps);
      return charge(state.operation, state.hold, end.result, end.facts, deps);
    case 'replay':
      return endReplay(state, end, deps);
  }
}

/** Settles a claim that completed only after the response was decided. Never throws. */
export async function settleLate(state: CreditState, deps: Dependencies): Promise<void> {
  await settle(state, { error: new ServiceError('SERVICE_UNAVAILABLE') }, deps);
}

/** Charges the hold. The record is returned only if the charge row and the log row are durable. */
async function charge(
  operation: Operation,
  hold: PlacedHold,
  result: FoundResult,
  facts: OperationFacts,
  { ledger, memory, clock }: Dependencies,
): Promise<Settled> {
  const { respondByMs } = timeBudget(operation.requestedAtMs);
  const charging = chargeOperation({ operation, hold }, facts, ledger, memory, clock);
  const decision = await withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'unknown' as const);
  switch (decision) {
    case 'charged':
      return { kind: 'settled', creditsCharged: operation.cost, result };
    case 'unknown':
      return uncharged(new ServiceError('OUTCOME_UNKNOWN'));
    case 'void': {
      // Another process voided the operation first, or the time limit was reached.
      const { provider, failedProviders = [] } = result;
      return uncharged({ kind: 'timeout', detail: 'fenced', maybeBilled: true, provider, failedProviders });
    }
  }
}

/** Voids the operation, and releases the hold if there is one. Waits at most a second. */
async function release(
  operation: Operation,
  hold: PlacedHold | undefined,
  end: RequestEnd,
  { ledger, clock }: Dependencies,
): Promise<Settled> {
  const facts = 'error' in end ? factsOfError(end) : end.facts;
  const held = hold && { operation, hold };
  const nowMs = clock.nowMs();
  const voiding = voidOperation(operation, facts, held, ledger, clock);
  const { respondByMs } = timeBudget(operation.requestedAtMs);
  await withDeadline(voiding, Math.min(nowMs + RELEASE_WAIT_MS, respondByMs), nowMs).catch(() => undefined);
  return uncharged(resultOf(end));
}

/** Logs a free replay. If that fails, no record is returned, and the replay is returned to its key's allowance. */
async function endReplay(replay: Replay, end: RequestEnd, deps: Dependencies): Promise<Settled> {
  const { operation, of, keyHash } = replay;
  const facts = 'error' in end ? { ...factsOfError(end), outcome: 'ERROR' as const } : end.facts;
  const finishing = finishReplay(operation, of, keyHash, facts, deps.ledger, deps.clock);
  const nowMs = deps.clock.nowMs();
  const { respondByMs } = timeBudget(operation.requestedAtMs);
  if ('error' in end) {
    const byMs = Math.min(nowMs + RELEASE_WAIT_MS, respondByMs);
    await withDeadline(finishing, byMs, nowMs).catch(() => undefined);
    return { ...uncharged(resultOf(end)), replayOf: of };
  }
  try {
    // A replay charges nothing, so its outcome is never unknown. The remaining time is for taking back the replay.
    await withDeadline(finishing, respondByMs - RELEASE_WAIT_MS, nowMs, () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    });
    return { ...uncharged(end.result), replayOf: of };
  } catch (error) {
    const { course } = end.facts;
    return endReplay(replay, { error: knownError(error), ...(course && { course }) }, deps);
  }
}

/** For a request that was not charged: if a table failed, the caller may repeat it. */
export function knownError(error: unknown): unknown {
  return isTableFailure(error) ? new ServiceError('SERVICE_UNAVAILABLE', { cause: error }) : error;
}

function uncharged(result: Settled['result']): Settled {
  return { kind: 'settled', creditsCharged: 0, result };
}

/** Returns the result that the caller may receive for a request that was not charged. */
function resultOf(end: RequestEnd): Settled['result'] {
  if ('result' in end) return end.result;
  return end.error instanceof ServiceError
    ? end.error
    : new ServiceError('SERVER_ERROR', { cause: end.error });
}

function factsOfError({ error, course }: FailedEnd): OperationFacts {
  const isKnown = error instanceof ServiceError;
  const code = isKnown ? error.code : 'SERVER_ERROR';
  const facts = factsWithoutLookUp(isKnown ? 'REFUSED' : 'ERROR', entryOf(code).status);
  const { registryMs = 0, ledgerMs = 0, checksMs = 0 } = course ?? {};
  return { ...facts, latencyMs: registryMs + ledgerMs + checksMs, course: { ...course, code } };
}
