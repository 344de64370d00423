import { CATALOGUE, ServiceError } from '../../core/errors.ts';
import { type FoundOutcome, OUTCOME_WORDS, type Outcome } from '../../verifications/outcome.ts';
import { failureCode } from '../../verifications/outcome-codes.ts';
import { SERVICES } from '../../verifications/services.ts';
import { chargeOperation, voidOperation } from '../../wallets/decide-charge.ts';
import { finishReplay } from '../../wallets/finish-replay.ts';
import { type Operation, type OperationFacts, timeBudget } from '../../wallets/operation.ts';
import { reserveCredit } from '../../wallets/reserve-credit.ts';
import { type Exchange, type Middleware, need } from '../exchange.ts';
import type { VerificationParts } from '../parts.ts';
import { within } from '../within.ts';

/** The caller never waits longer than this for a hold to be returned: the sweeper finishes it (ledger design, 4). */
const RETURN_WAIT_MS = 1000;

/**
 * When is the customer charged? Here. Before the registry is asked the cost is reserved; after it the outcome decides:
 * a found record is charged, and only then leaves; anything else returns the hold. A free replay holds and charges
 * nothing.
 */
export function wallet(parts: VerificationParts): Middleware {
  const { ledger, memory, tools, registries } = parts;

  return {
    before: async function walletBefore({ context }) {
      const { exchange } = context;
      if (exchange.replayOf) return;
      const operation = need(exchange.operation, 'operation');
      const { organisation, env, registryStates } = need(exchange.caller, 'caller');
      const { service } = need(exchange.command, 'command');
      const availability = registries.availability(env, SERVICES[service], registryStates);
      if (availability.kind !== 'available') throw new ServiceError('SERVICE_UNAVAILABLE', availability);
      const reserving = reserveCredit(operation, organisation.walletShards, ledger, memory, tools);
      const { chargeByMs } = timeBudget(operation.requestedAtMs);
      const reservation = await within(reserving, chargeByMs, tools.nowMs()).catch((cause: unknown) => {
        // Nothing was charged, and a hold that arrives late is returned by the sweeper.
        exchange.isWalletSilent = true;
        throw new ServiceError('SERVICE_UNAVAILABLE', { cause });
      });
      exchange.isWalletSilent = reservation.kind === 'unavailable';
      if (reservation.kind !== 'held') throw REFUSALS[reservation.kind]();
      exchange.placed = reservation.placed;
    },
    after: async function walletAfter(request) {
      const { exchange } = request.context;
      const operation = need(exchange.operation, 'operation');
      const outcome = request.response as Outcome;
      const facts = factsOf(exchange, outcome, tools.nowMs());
      const { answerByMs } = timeBudget(operation.requestedAtMs);
      if (exchange.replayOf) {
        const finishing = finishReplay(operation, exchange.replayOf, keyHash(exchange), facts, ledger);
        return within(finishing, answerByMs, tools.nowMs());
      }
      if (outcome.kind !== 'found') return giveUp(exchange, facts.outcome, facts.httpStatus, parts, facts);
      request.response = await within(charge(exchange, outcome, facts, parts), answerByMs, tools.nowMs());
    },
    onError: async function walletOnError({ context, error }) {
      const { exchange } = context;
      const status = error instanceof ServiceError ? CATALOGUE[error.code].status : 500;
      if (exchange.replayOf && exchange.operation) {
        const { replayOf, operation } = exchange;
        const facts = { outcome: 'ERROR', httpStatus: status, provider: '', latencyMs: 0 };
        await finishReplay(operation, replayOf, keyHash(exchange), facts, ledger).catch(() => undefined);
      } else if ((exchange.placed || exchange.idempotencyKeyHash) && !exchange.isDecided) {
        // A hold must be returned, and a claimed key must be free for the next try at once.
        await giveUp(exchange, error instanceof ServiceError ? 'REFUSED' : 'ERROR', status, parts);
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
  exchange: Exchange,
  outcome: FoundOutcome,
  facts: OperationFacts,
  { ledger, memory, tools }: VerificationParts,
): Promise<Outcome> {
  const operation = need(exchange.operation, 'operation');
  const held = { operation, placed: need(exchange.placed, 'hold') };
  exchange.isDecided = true;
  const decision = await chargeOperation(held, facts, ledger, memory, tools);
  if (decision === 'unknown') throw new ServiceError('OUTCOME_UNKNOWN');
  if (decision === 'void') {
    const { provider, alsoAsked = [] } = outcome;
    return { kind: 'timeout', detail: 'fenced', maybeBilled: true, provider, alsoAsked };
  }
  exchange.creditsCharged = operation.cost;
  return outcome;
}

/** Decides VOID and returns the hold, for at most a second. What it does not manage the sweeper does. */
async function giveUp(
  exchange: Exchange,
  outcome: string,
  httpStatus: number,
  { ledger, tools }: VerificationParts,
  facts: OperationFacts = { outcome, httpStatus, provider: '', latencyMs: 0 },
): Promise<void> {
  const operation: Operation = need(exchange.operation, 'operation');
  const held = exchange.placed && { operation, placed: exchange.placed };
  exchange.isDecided = true;
  const nowMs = tools.nowMs();
  await within(voidOperation(operation, facts, held, ledger, tools), nowMs + RETURN_WAIT_MS, nowMs).catch(
    () => undefined,
  );
}

function factsOf(exchange: Exchange, outcome: Outcome, nowMs: number): OperationFacts {
  const { idType } = need(exchange.command, 'command');
  const isFound = outcome.kind === 'found';
  return {
    outcome: OUTCOME_WORDS[outcome.kind],
    httpStatus: isFound ? 200 : CATALOGUE[failureCode(outcome.kind, idType, exchange.dialect)].status,
    provider: outcome.provider.name,
    latencyMs: Math.round(nowMs - exchange.requestedAtMs),
  };
}

function keyHash(exchange: Exchange): string {
  return need(exchange.idempotencyKeyHash, 'idempotency key');
}
