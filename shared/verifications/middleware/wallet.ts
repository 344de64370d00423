import { CATALOGUE, ServiceError } from '../../core/errors.ts';
import type { ApiContext, Middleware, RequestContext } from '../../http/context.ts';
import { ownLatencyMs } from '../../http/report-request.ts';
import type { OperationFacts } from '../../ledger/operation.ts';
import type { RequestCourse } from '../../ledger/rows/log-entry.ts';
import type { Match } from '../../matching/match.ts';
import { decisiveAttempt, wasNotSent } from '../../registries/ask-provider.ts';
import { failureCode } from '../outcome-codes.ts';
import { isVerification, LOGGED_OUTCOMES, type VerificationResult } from '../result.ts';
import { reserve } from './claim-and-reserve.ts';
import { creditOf, setCredit } from './credit.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { publishCharged } from './publish-balance.ts';
import { settle } from './settle.ts';
import { simulateError } from './simulated-error.ts';
import { attempts as attemptsOf, command } from './values.ts';

/** Requires a wallet that covers the request. */
export function wallet(deps: LookUpDependencies): Middleware {
  return {
    name: 'wallet',
    async before({ context: { requestContext } }) {
      simulateError(requestContext, 'INSUFFICIENT_FUNDS');
      const startedMs = deps.clock.nowMs();
      setCredit(requestContext, await reserve(requestContext, deps));
      const credit = creditOf(requestContext);
      credit.ledgerMs += deps.clock.nowMs() - startedMs;
      credit.hasLogRow = true;
    },
    async after(request) {
      const { requestContext } = request.context;
      const { response } = request;
      if (!isVerification(response)) throw new Error('A charged route returned no look-up result.');
      const end = { result: response, facts: factsOf(requestContext, response, deps.clock.nowMs()) };
      const { state } = creditOf(requestContext);
      const settled = await settle(state, end, deps);
      setCredit(requestContext, settled);
      if (settled.kind !== 'settled') throw new Error('A look-up ran without a reserved credit.');
      const { result, creditsCharged } = settled;
      if (creditsCharged > 0) await publishCharged(requestContext, state, deps);
      if (result instanceof ServiceError) {
        requestContext.line.isWalletUnavailable = result.code === 'SERVICE_UNAVAILABLE';
        throw result;
      }
      // As if the response to the charge had been lost: a retry under the same key gets the record.
      if (settled.creditsCharged > 0) simulateError(requestContext, 'OUTCOME_UNKNOWN');
      request.response = result;
    },
    async onError({ context: { requestContext }, error }) {
      const course = courseOf(requestContext, Math.round(deps.clock.nowMs() - requestContext.requestedAtMs));
      setCredit(requestContext, await settle(creditOf(requestContext).state, { error, course }, deps));
    },
  };
}

function factsOf(requestContext: ApiContext, result: VerificationResult, nowMs: number): OperationFacts {
  const { errorStyle, requestedAtMs } = requestContext;
  const { idType } = command.of(requestContext);
  const latencyMs = Math.round(nowMs - requestedAtMs);
  const failure = result.kind === 'found' ? undefined : failureCode(result.kind, idType, errorStyle);
  return {
    outcome: LOGGED_OUTCOMES[result.kind],
    httpStatus: failure === undefined ? 200 : CATALOGUE[failure].status,
    provider: result.provider.name,
    latencyMs,
    course: {
      ...courseOf(requestContext, latencyMs),
      code: failure ?? `${idType}_VERIFIED`,
      matchOverall: matchOf(result)?.overall,
    },
  };
}

function matchOf(result: VerificationResult): Match | undefined {
  return result.kind === 'found' && result.content.type === 'json' ? result.content.match : undefined;
}

/**
 * Returns the course of a request for its log row: the failed providers and three durations, which add up to
 * `latencyMs`.
 */
function courseOf(requestContext: RequestContext, latencyMs: number): RequestCourse {
  const attempts = attemptsOf.find(requestContext) ?? [];
  const { ledgerMs } = creditOf(requestContext);
  const decisive = decisiveAttempt(attempts);
  const failed = attempts.filter((attempt) => attempt !== decisive && !wasNotSent(attempt.result));
  const ownMs = ownLatencyMs(latencyMs, attempts);
  const ofLedgerMs = Math.min(ownMs, Math.round(ledgerMs));
  return {
    ...(failed.length > 0 && { failedProviders: failed.map(({ provider }) => provider.name) }),
    registryMs: Math.max(0, latencyMs - ownMs),
    ledgerMs: ofLedgerMs,
    checksMs: ownMs - ofLedgerMs,
  };
}
