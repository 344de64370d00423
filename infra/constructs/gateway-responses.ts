import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';

/** The error code for each type of response that API Gateway generates itself (decision C1). */
const TYPES_BY_CODE = {
  ROUTE_NOT_FOUND: [
    ResponseType.DEFAULT_4XX,
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    ResponseType.RESOURCE_NOT_FOUND,
    ResponseType.ACCESS_DENIED,
    ResponseType.INVALID_SIGNATURE,
    ResponseType.EXPIRED_TOKEN,
  ],
  // The firewall's only blocking rule is a rate limit.
  RATE_LIMITED: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED, ResponseType.WAF_FILTERED],
  PAYLOAD_TOO_LARGE: [ResponseType.REQUEST_TOO_LARGE],
  TIMEOUT: [ResponseType.INTEGRATION_TIMEOUT],
  SERVER_ERROR: [ResponseType.DEFAULT_5XX, ResponseType.INTEGRATION_FAILURE],
} as const satisfies Partial<Record<ErrorCode, readonly ResponseType[]>>;

/** Added to 5xx messages, since the function may continue and charge after API Gateway has timed out. */
const MAYBE_CHARGED =
  'This request may have been charged. If you sent an Idempotency-Key, retry with the same key: you are not charged twice.';

/** Puts every response that API Gateway generates itself into the envelope. */
export function addGatewayResponses(api: RestApi): void {
  for (const [code, types] of Object.entries(TYPES_BY_CODE) as [ErrorCode, readonly ResponseType[]][]) {
    for (const type of types) {
      api.addGatewayResponse(type.responseType, {
        type,
        statusCode: String(CATALOGUE[code].status),
        responseHeaders: {
          'Cache-Control': "'no-store'",
          'X-Content-Type-Options': "'nosniff'",
          'X-Request-Id': 'context.requestId',
          ...(CATALOGUE[code].retry === 'later' && { 'Retry-After': "'1'" }),
        },
        templates: { 'application/json': envelope(code) },
      });
    }
  }
}

/** Contains constant texts only, because `$context.error.message` could quote the request. */
function envelope(code: ErrorCode): string {
  const { status, message } = CATALOGUE[code];
  const text = JSON.stringify({
    success: false,
    code,
    message: status >= 500 ? `${message} ${MAYBE_CHARGED}` : message,
    verification_type: '',
    summary: { verified: false, verification_type: '', provider: '', confidence_score: 0 },
    data: null,
    meta: { request_id: '$context.requestId', timestamp: '' },
  });
  // The specification requires a float, but JSON.stringify writes 0.
  return text.replace('"confidence_score":0', '"confidence_score":0.0');
}
