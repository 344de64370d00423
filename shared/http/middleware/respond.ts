import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import type { IdType } from '../../core/id-types.ts';
import { newOperationId, newRequestId } from '../../core/ids.ts';
import { errorFields } from '../../core/logger.ts';
import { beginSubsegment } from '../../core/trace.ts';
import { idempotencyHeader } from '../../ledger/middleware/idempotency-key.ts';
import type { ErrorStyle } from '../../verifications/outcome-codes.ts';
import { compress } from '../compress.ts';
import { type Middleware, RequestContext } from '../context.ts';
import { reportRequest } from '../report-request.ts';
import { isChargeUnknown } from '../request-metrics.ts';
import { failureResponse, responseOf } from '../respond.ts';
import { type HttpResponse, isResult } from '../result.ts';

export interface RespondOptions {
  /** The route's name in logs and metrics. */
  readonly name: string;
  readonly errorStyle?: ErrorStyle;
  /** The ID type of a dedicated route. Absent if the body names it, or if there is none. */
  readonly idType?: IdType;
  /** Whether the route needs a key. Its responses then say what was charged. */
  readonly isKeyed: boolean;
}

/** Returns the initial context of a request. */
export function beginRequest(
  event: APIGatewayProxyEvent,
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
    requestedAtMs: event.requestContext.requestTimeEpoch,
    errorStyle,
    idType,
    headers: {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...idempotencyHeader(event),
    },
    endTrace: beginSubsegment(name),
  });
}

/**
 * Ends every chain: creates the response with its envelope and headers, and writes one log line and metrics. It is the
 * outermost middleware, so it receives the results of all others. Its `onError` calls only pure code and code that
 * writes logs, metrics and traces, because an error in it would lose the response.
 */
export function respond({ name, isKeyed }: RespondOptions): Middleware {
  return {
    after: async function respondAfter(request) {
      const { requestContext } = request.context;
      const { response } = request;
      if (!isResult(response)) throw new Error(`The route ${name} returned no result.`);
      const { credit } = requestContext;
      const charged = credit.kind === 'settled' ? credit.creditsCharged : 0;
      const whole = responseOf(response, requestContext, new Date());
      request.response = await finish(requestContext, compress(whole, request.event), charged);
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
      request.response = await finish(requestContext, compress(response, request.event), 0);
    },
  };

  async function finish(
    requestContext: RequestContext,
    response: HttpResponse,
    creditsCharged: number,
  ): Promise<HttpResponse> {
    reportRequest(name, requestContext, response.statusCode, creditsCharged);
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
