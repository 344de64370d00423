import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';

/** What API Gateway answers by itself, with the words and in the envelope of the service (decision C1). */
const TYPES_BY_CODE = {
  ROUTE_NOT_FOUND: [
    ResponseType.DEFAULT_4XX,
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    ResponseType.RESOURCE_NOT_FOUND,
    ResponseType.ACCESS_DENIED,
    ResponseType.INVALID_SIGNATURE,
    ResponseType.EXPIRED_TOKEN,
  ],
  // The firewall's only rule that stops anything is a rate.
  RATE_LIMITED: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED, ResponseType.WAF_FILTERED],
  PAYLOAD_TOO_LARGE: [ResponseType.REQUEST_TOO_LARGE],
  TIMEOUT: [ResponseType.INTEGRATION_TIMEOUT],
  SERVER_ERROR: [ResponseType.DEFAULT_5XX, ResponseType.INTEGRATION_FAILURE],
} as const satisfies Partial<Record<ErrorCode, readonly ResponseType[]>>;

/** The function may have worked on after API Gateway gave up, so these answers must not promise a free failure. */
const MAYBE_CHARGED =
  'This request may have been charged: repeat it with the same Idempotency-Key, it is never charged twice.';

/** Gives every answer that API Gateway makes on its own the shape of the envelope. */
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

/** Fixed words only: `$context.error.message` could quote the request. */
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
  // A float to every reader (specification), which JSON.stringify cannot write.
  return text.replace('"confidence_score":0', '"confidence_score":0.0');
}
