import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { CATALOGUE, type ErrorCode, ServiceError } from '../../core/errors.ts';
import type { IdType } from '../../core/id-types.ts';
import { newOperationId, newRequestId } from '../../core/ids.ts';
import { errorFields, logger, metrics } from '../../core/logger.ts';
import { beginSubsegment } from '../../core/trace.ts';
import type { ErrorStyle } from '../../verifications/outcome-codes.ts';
import type { HttpResponse, Middleware, RequestContext } from '../context.ts';
import { failureResponse, type Result, responseOf } from '../respond.ts';

export interface RespondOptions {
  /** The route's name in logs and metrics. */
  readonly name: string;
  readonly errorStyle?: ErrorStyle;
  /** The ID type of a dedicated route; empty where the body tells, or there is none. */
  readonly idType?: IdType;
  /** Keyed routes tell what they charged. */
  readonly isKeyed: boolean;
}

/**
 * The only way out: envelope, headers, one log line, one metric. Outermost, so it sees what all others made of the
 * request; its `onError` calls pure code and the logger only, since an error in it would lose the answer.
 */
export function respond({ name, errorStyle = 'dedicated', idType, isKeyed }: RespondOptions): Middleware {
  return {
    before: async function answerBefore({ event, context }) {
      const requestId = newRequestId();
      const headers = {
        'X-Request-Id': requestId,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      };
      context.requestContext = {
        requestId,
        operationId: newOperationId(),
        requestedAtMs: event.requestContext.requestTimeEpoch,
        errorStyle,
        idType: idType ?? '',
        headers,
        creditsCharged: 0,
        provider: '',
        endTrace: beginSubsegment(name),
      };
    },
    after: async function answerAfter(request) {
      const { requestContext } = request.context;
      request.response = await finish(
        requestContext,
        responseOf(request.response as Result, requestContext, new Date()),
      );
    },
    onError: async function answerOnError(request) {
      const { requestContext } = request.context;
      const { error } = request;
      const known = error instanceof ServiceError ? error : new ServiceError('SERVER_ERROR');
      const { code, message, retryAfterSeconds } = known;
      if (known !== error) requestContext.detail = JSON.stringify(errorFields(error));
      // Charged, and yet no data leaves: the customer's next try under the same key is free.
      if (requestContext.creditsCharged > 0) metrics.addMetric('unconfirmedCharges', MetricUnit.Count, 1);
      requestContext.creditsCharged = 0;
      const response = failureResponse(code, requestContext, new Date(), { message, retryAfterSeconds });
      request.response = await finish(requestContext, response);
    },
  };

  async function finish(requestContext: RequestContext, response: HttpResponse): Promise<HttpResponse> {
    const credits = isKeyed ? { 'X-Credits-Charged': chargedText(requestContext) } : {};
    report(name, requestContext, response.statusCode);
    const { requestId, code = '', endTrace } = requestContext;
    const annotations = { request_id: requestId, route: name, code };
    // Handed over before the answer leaves, since Lambda freezes the function then. It never rejects.
    await endTrace?.({ status: response.statusCode, fields: { annotations } });
    return { ...response, headers: { ...response.headers, ...credits } };
  }
}

/** Whole credits; `unknown` where a repeat under the same Idempotency-Key would tell. */
function chargedText({ code, creditsCharged }: RequestContext): string {
  return isChargeUnknown(code) ? 'unknown' : String(creditsCharged);
}

function isChargeUnknown(code = ''): boolean {
  return Object.hasOwn(CATALOGUE, code) && CATALOGUE[code as ErrorCode].charged === 'unknown';
}

/** Named, harmless fields only: no body, number, name, key or path (house rule 7). */
function report(route: string, requestContext: RequestContext, status: number): void {
  const {
    caller,
    requestId,
    operationId,
    creditsCharged,
    code = '',
    provider,
    failedProviders = [],
    maybeBilled,
    detail,
    isWalletUnavailable,
  } = requestContext;
  const latencyMs = Math.round(Date.now() - requestContext.requestedAtMs);
  const line = {
    route,
    request_id: requestId,
    operation_id: operationId,
    status,
    code,
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    ...(caller && { organisation: caller.organisation.id, env: caller.env, key_label: caller.key.label }),
    ...(provider && { provider }),
    ...(maybeBilled && { maybe_billed: true }),
    ...(failedProviders.length > 0 && { failed_providers: failedProviders }),
    ...(requestContext.replayOf && { replay_of: requestContext.replayOf.operationId }),
    ...(detail && { detail }),
    ...(isWalletUnavailable && { wallet_unavailable: true }),
  };
  if (status >= 500) logger.error('request', line);
  else logger.info('request', line);
  // By route and code; and all together, for those who watch the whole.
  metrics.addDimensions({ route, code }).addDimensions({});
  metrics.addMetric('responses', MetricUnit.Count, 1);
  metrics.addMetric('latency', MetricUnit.Milliseconds, latencyMs);
  metrics.addMetric('creditsCharged', MetricUnit.Count, creditsCharged);
  if (isChargeUnknown(code)) metrics.addMetric('unconfirmedCharges', MetricUnit.Count, 1);
  // 503 like a registry's, but ours to mend.
  if (isWalletUnavailable) metrics.addMetric('unavailableWallets', MetricUnit.Count, 1);
  // A test key can ask the sandbox for a fault (decision G1), which must wake nobody.
  if (code === 'SERVER_ERROR' && caller?.env !== 'test') metrics.addMetric('faults', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
