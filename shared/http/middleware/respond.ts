import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CATALOGUE, type ErrorCode, ServiceError } from '../../core/errors.ts';
import type { IdType } from '../../core/id-types.ts';
import { newOperationId, newRequestId } from '../../core/ids.ts';
import { errorFields, logger, metrics } from '../../core/logger.ts';
import { beginSubsegment } from '../../core/trace.ts';
import type { ErrorStyle } from '../../verifications/outcome-codes.ts';
import { type Middleware, RequestContext } from '../context.ts';
import { failureResponse, responseOf } from '../respond.ts';
import { type HttpResponse, isResult } from '../result.ts';

export interface RespondOptions {
  /** The route's name in logs and metrics. */
  readonly name: string;
  readonly errorStyle?: ErrorStyle;
  /** The ID type of a dedicated route; absent where the body names it, or there is none. */
  readonly idType?: IdType;
  /** Routes that need a key say what they charged. */
  readonly isKeyed: boolean;
}

/** The context that a request starts with. */
export function beginRequest(
  { requestContext }: APIGatewayProxyEvent,
  {
    name,
    errorStyle = 'dedicated',
    idType = '' as const,
  }: Omit<RespondOptions, 'idType'> & { idType?: IdType | '' },
): RequestContext {
  const requestId = newRequestId();
  return new RequestContext({
    requestId,
    operationId: newOperationId(),
    requestedAtMs: requestContext.requestTimeEpoch,
    errorStyle,
    idType,
    headers: {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    endTrace: beginSubsegment(name),
  });
}

/**
 * The only way out of a chain: envelope, headers, one log line, metrics. It is the outermost middleware, so it sees
 * what all others made of the request. Its `onError` calls pure code and the logger only: an error in it would lose
 * the response.
 */
export function respond({ name, isKeyed }: RespondOptions): Middleware {
  return {
    after: async function respondAfter(request) {
      const { requestContext } = request.context;
      const { response } = request;
      if (!isResult(response)) throw new Error(`The route ${name} returned no result.`);
      const { credit } = requestContext;
      const charged = credit.kind === 'settled' ? credit.creditsCharged : 0;
      request.response = await finish(
        requestContext,
        responseOf(response, requestContext, new Date()),
        charged,
      );
    },
    onError: async function respondOnError(request) {
      const { requestContext } = request.context;
      const { error } = request;
      const { credit } = requestContext;
      // Charged without returning the record: a retry under the same Idempotency-Key returns it free of charge.
      const isRecordLost = credit.kind === 'settled' && credit.creditsCharged > 0;
      const fault = new ServiceError(isRecordLost ? 'OUTCOME_UNKNOWN' : 'SERVER_ERROR');
      const known = error instanceof ServiceError && !isRecordLost ? error : fault;
      const { code, message, details, retryAfterSeconds } = known;
      if (known !== error) requestContext.detail = JSON.stringify(errorFields(error));
      const response = failureResponse(code, requestContext, new Date(), {
        message,
        details,
        retryAfterSeconds,
      });
      request.response = await finish(requestContext, response, 0);
    },
  };

  async function finish(
    requestContext: RequestContext,
    response: HttpResponse,
    creditsCharged: number,
  ): Promise<HttpResponse> {
    report(name, requestContext, response.statusCode, creditsCharged);
    const { requestId, code, endTrace } = requestContext;
    const annotations = { request_id: requestId, route: name, code };
    // Sent before the response, because Lambda freezes the function after it. Never rejects.
    await endTrace?.({ status: response.statusCode, fields: { annotations } });
    if (!isKeyed) return response;
    // `unknown`: a retry under the same Idempotency-Key shows whether the request was charged.
    const charged = isChargeUnknown(code) ? 'unknown' : String(creditsCharged);
    return { ...response, headers: { ...response.headers, 'X-Credits-Charged': charged } };
  }
}

function isChargeUnknown(code: string): boolean {
  return Object.hasOwn(CATALOGUE, code) && CATALOGUE[code as ErrorCode].charged === 'unknown';
}

/** Logs named, harmless fields only: no body, number, person's name, key or path (rule 13 of docs/architecture.md). */
function report(route: string, requestContext: RequestContext, status: number, creditsCharged: number): void {
  const { knownCaller, code, provider, failedProviders, detail, credit } = requestContext;
  const latencyMs = Math.round(Date.now() - requestContext.requestedAtMs);
  const replayOf =
    credit.kind === 'replay' ? credit.of : credit.kind === 'settled' ? credit.replayOf : undefined;
  const line = {
    route,
    request_id: requestContext.requestId,
    operation_id: requestContext.operationId,
    status,
    code,
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    ...(knownCaller && {
      organisation: knownCaller.organisation.id,
      env: knownCaller.env,
      key_label: knownCaller.key.label,
    }),
    ...(provider && { provider }),
    ...(requestContext.maybeBilled && { maybe_billed: true }),
    ...(failedProviders.length > 0 && { failed_providers: failedProviders }),
    ...(replayOf && { replay_of: replayOf.operationId }),
    ...(detail && { detail }),
    ...(requestContext.isWalletUnavailable && { wallet_unavailable: true }),
  };
  if (status >= 500) logger.error('request', line);
  else logger.info('request', line);
  // Each metric is published by route and code, and once for the whole stage.
  metrics.addDimensions({ route, code }).addDimensions({});
  metrics.addMetric('responses', MetricUnit.Count, 1);
  metrics.addMetric('latency', MetricUnit.Milliseconds, latencyMs);
  metrics.addMetric('creditsCharged', MetricUnit.Count, creditsCharged);
  if (isChargeUnknown(code)) metrics.addMetric('unconfirmedCharges', MetricUnit.Count, 1);
  // Callers get 503 as for a registry, but the fault is ours.
  if (requestContext.isWalletUnavailable) metrics.addMetric('unavailableWallets', MetricUnit.Count, 1);
  // A test key can ask the sandbox for a fault (decision G1), which must not page anyone.
  if (code === 'SERVER_ERROR' && knownCaller?.env !== 'test')
    metrics.addMetric('faults', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
