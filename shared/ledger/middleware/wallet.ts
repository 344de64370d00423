import { CATALOGUE, ServiceError } from '../../core/errors.ts';
import type { Middleware, RequestContext } from '../../http/context.ts';
import type { LookUpDependencies } from '../../http/dependencies.ts';
import { isVerification } from '../../http/result.ts';
import { courseOf } from '../../verifications/middleware/request-course.ts';
import { failureCode } from '../../verifications/outcome-codes.ts';
import { LOGGED_OUTCOMES, type VerificationResult } from '../../verifications/result.ts';
import type { OperationFacts } from '../operation.ts';
import { reserve } from './claim-and-reserve.ts';
import { settle } from './settle.ts';

/**
 * Requires a wallet that covers the request. Reserves the cost before the look-up, and settles it afterwards
 * (`settle`).
 */
export function wallet(deps: LookUpDependencies): Middleware {
  return {
    before: async function walletBefore({ context: { requestContext } }) {
      const startedMs = deps.tools.nowMs();
      requestContext.credit = await reserve(requestContext, deps);
      requestContext.ledgerMs += deps.tools.nowMs() - startedMs;
      requestContext.hasLogRow = true;
    },
    after: async function walletAfter(request) {
      const { requestContext } = request.context;
      const { response } = request;
      if (!isVerification(response)) throw new Error('A charged route returned no look-up result.');
      const end = { result: response, facts: factsOf(requestContext, response, deps.tools.nowMs()) };
      requestContext.credit = await settle(requestContext.credit, end, deps);
      if (requestContext.credit.kind !== 'settled')
        throw new Error('A look-up ran without a reserved credit.');
      const { result } = requestContext.credit;
      if (result instanceof ServiceError) throw result;
      request.response = result;
    },
    onError: async function walletOnError({ context: { requestContext }, error }) {
      const course = courseOf(requestContext, Math.round(deps.tools.nowMs() - requestContext.requestedAtMs));
      requestContext.credit = await settle(requestContext.credit, { error, course }, deps);
    },
  };
}

function factsOf(requestContext: RequestContext, result: VerificationResult, nowMs: number): OperationFacts {
  const { command, errorStyle, requestedAtMs } = requestContext;
  const latencyMs = Math.round(nowMs - requestedAtMs);
  const failure = result.kind === 'found' ? undefined : failureCode(result.kind, command.idType, errorStyle);
  return {
    outcome: LOGGED_OUTCOMES[result.kind],
    httpStatus: failure === undefined ? 200 : CATALOGUE[failure].status,
    provider: result.provider.name,
    latencyMs,
    course: { ...courseOf(requestContext, latencyMs), code: failure ?? `${command.idType}_VERIFIED` },
  };
}
