import { withDeadline } from '../../core/deadline.ts';
import { CATALOGUE, ServiceError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import { finishReplay } from '../../ledger/finish-replay.ts';
import {
  factsWithoutLookUp,
  type Operation,
  type OperationFacts,
  timeBudget,
} from '../../ledger/operation.ts';
import { reserveCredit } from '../../ledger/reserve.ts';
import { chargeOperation, voidOperation } from '../../ledger/settle.ts';
import { failureCode } from '../../verifications/outcome-codes.ts';
import { type FoundResult, LOGGED_OUTCOMES, type VerificationResult } from '../../verifications/result.ts';
import { SERVICES } from '../../verifications/services.ts';
import { type Middleware, type RequestContext, required } from '../context.ts';
import type { VerificationDependencies } from '../dependencies.ts';

/** The caller never waits longer than this for a hold to be returned: the sweeper finishes it (ledger design, 4). */
const RETURN_WAIT_MS = 1000;

/**
 * When is the customer charged? Here. Before the registry is asked the cost is reserved; after it the outcome decides:
 * a found record is charged, and only then leaves; anything else returns the hold. A free replay holds and charges
 * nothing.
 */
export function wallet(deps: VerificationDependencies): Middleware {
  const { ledger, memory, tools, registries } = deps;

  return {
    before: async function walletBefore({ context }) {
      const { requestContext } = context;
      if (requestContext.replayOf) return;
      const operation = required(requestContext.operation, 'operation');
      const { organisation, env, registryStates } = required(requestContext.caller, 'caller');
      const { service } = required(requestContext.command, 'command');
      const availability = registries.availability(env, SERVICES[service], registryStates);
      if (availability.kind !== 'available') throw new ServiceError('SERVICE_UNAVAILABLE', availability);
      const reserving = reserveCredit(operation, organisation.walletShards, ledger, memory, tools);
      const { chargeByMs } = timeBudget(operation.requestedAtMs);
      const reservation = await withDeadline(reserving, chargeByMs, tools.nowMs()).catch((cause: unknown) => {
        // Nothing was charged, and a hold that arrives late is returned by the sweeper.
        requestContext.isWalletUnavailable = true;
        throw new ServiceError('SERVICE_UNAVAILABLE', { cause });
      });
      requestContext.isWalletUnavailable = reservation.kind === 'unavailable';
      if (reservation.kind !== 'held') throw REFUSALS[reservation.kind]();
      requestContext.placed = reservation.placed;
    },
    after: async function walletAfter(request) {
      const { requestContext } = request.context;
      const operation = required(requestContext.operation, 'operation');
      const outcome = request.response as VerificationResult;
      const facts = factsOf(requestContext, outcome, tools.nowMs());
      const { respondByMs } = timeBudget(operation.requestedAtMs);
      if (requestContext.replayOf) {
        const finishing = finishReplay(
          operation,
          requestContext.replayOf,
          keyHash(requestContext),
          facts,
          ledger,
        );
        return withDeadline(finishing, respondByMs, tools.nowMs());
      }
      if (outcome.kind !== 'found')
        return giveUp(requestContext, facts.outcome, facts.httpStatus, deps, facts);
      request.response = await withDeadline(
        charge(requestContext, outcome, facts, deps),
        respondByMs,
        tools.nowMs(),
      );
    },
    onError: async function walletOnError({ context, error }) {
      const { requestContext } = context;
      const status = error instanceof ServiceError ? CATALOGUE[error.code].status : 500;
      if (requestContext.replayOf && requestContext.operation) {
        const { replayOf, operation } = requestContext;
        const facts = factsWithoutLookUp('ERROR', status);
        await finishReplay(operation, replayOf, keyHash(requestContext), facts, ledger).catch(
          () => undefined,
        );
      } else if ((requestContext.placed || requestContext.idempotencyKeyHash) && !requestContext.isDecided) {
        // A hold must be returned, and a claimed key must be free for the next try at once.
        await giveUp(requestContext, error instanceof ServiceError ? 'REFUSED' : 'ERROR', status, deps);
      }
    },
  };
}

const REFUSALS = {
  short: () => new ServiceError('INSUFFICIENT_FUNDS'),
  full: () => new ServiceError('RATE_LIMITED', { retryAfterSeconds: 2 }),
  unavailable: () => new ServiceError('SERVICE_UNAVAILABLE'),
} as const;

/** Charges, and returns what may leave: the record, or the timeout that a fenced request gets. */
async function charge(
  requestContext: RequestContext,
  outcome: FoundResult,
  facts: OperationFacts,
  { ledger, memory, tools }: VerificationDependencies,
): Promise<VerificationResult> {
  const operation = required(requestContext.operation, 'operation');
  const held = { operation, placed: required(requestContext.placed, 'hold') };
  requestContext.isDecided = true;
  const decision = await chargeOperation(held, facts, ledger, memory, tools);
  if (decision === 'unknown') throw new ServiceError('OUTCOME_UNKNOWN');
  if (decision === 'void') {
    const { provider, failedProviders = [] } = outcome;
    return { kind: 'timeout', detail: 'fenced', maybeBilled: true, provider, failedProviders };
  }
  requestContext.creditsCharged = operation.cost;
  return outcome;
}

/** Decides VOID and returns the hold, for at most a second. What it does not manage the sweeper does. */
async function giveUp(
  requestContext: RequestContext,
  outcome: Outcome,
  httpStatus: number,
  { ledger, tools }: VerificationDependencies,
  facts: OperationFacts = factsWithoutLookUp(outcome, httpStatus),
): Promise<void> {
  const operation: Operation = required(requestContext.operation, 'operation');
  const held = requestContext.placed && { operation, placed: requestContext.placed };
  requestContext.isDecided = true;
  const nowMs = tools.nowMs();
  await withDeadline(
    voidOperation(operation, facts, held, ledger, tools),
    nowMs + RETURN_WAIT_MS,
    nowMs,
  ).catch(() => undefined);
}

function factsOf(requestContext: RequestContext, outcome: VerificationResult, nowMs: number): OperationFacts {
  const { idType } = required(requestContext.command, 'command');
  const isFound = outcome.kind === 'found';
  return {
    outcome: LOGGED_OUTCOMES[outcome.kind],
    httpStatus: isFound
      ? 200
      : CATALOGUE[failureCode(outcome.kind, idType, requestContext.errorStyle)].status,
    provider: outcome.provider.name,
    latencyMs: Math.round(nowMs - requestContext.requestedAtMs),
  };
}

function keyHash(requestContext: RequestContext): string {
  return required(requestContext.idempotencyKeyHash, 'idempotency key');
}
