import { CATALOGUE, ServiceError } from '../../core/errors.ts';
import type { ApiContext, Middleware } from '../../http/context.ts';
import type { OperationFacts } from '../../ledger/operation.ts';
import { failureCode } from '../outcome-codes.ts';
import { isVerification, LOGGED_OUTCOMES, type VerificationResult } from '../result.ts';
import { reserve } from './claim-and-reserve.ts';
import { creditOf, setCredit } from './credit.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { courseOf } from './request-course.ts';
import { settle } from './settle.ts';
import { command } from './values.ts';

/**
 * Requires a wallet that covers the request. Reserves the cost before the look-up, and settles it afterwards
 * (`settle`).
 */
export function wallet(deps: LookUpDependencies): Middleware {
  return {
    before: async function walletBefore({ context: { requestContext } }) {
      const startedMs = deps.clock.nowMs();
      setCredit(requestContext, await reserve(requestContext, deps));
      const credit = creditOf(requestContext);
      credit.ledgerMs += deps.clock.nowMs() - startedMs;
      credit.hasLogRow = true;
    },
    after: async function walletAfter(request) {
      const { requestContext } = request.context;
      const { response } = request;
      if (!isVerification(response)) throw new Error('A charged route returned no look-up result.');
      const end = { result: response, facts: factsOf(requestContext, response, deps.clock.nowMs()) };
      const settled = await settle(creditOf(requestContext).state, end, deps);
      setCredit(requestContext, settled);
      if (settled.kind !== 'settled') throw new Error('A look-up ran without a reserved credit.');
      const { result } = settled;
      if (result instanceof ServiceError) throw result;
      request.response = result;
    },
    onError: async function walletOnError({ context: { requestContext }, error }) {
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
    course: { ...courseOf(requestContext, latencyMs), code: failure ?? `${idType}_VERIFIED` },
  };
}
