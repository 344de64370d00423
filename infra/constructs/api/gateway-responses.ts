import { CATALOGUE, type ErrorCode, type ServiceErrorOptions } from '../../../shared/core/errors.ts';
import { SECURITY_HEADERS } from '../../../shared/http/console/security-headers.ts';
import { COMPRESSED_BODY, TOO_LARGE } from '../../../shared/http/read-json.ts';

/** By error code (contract C1). */
const TYPES_BY_CODE = {
  ROUTE_NOT_FOUND: [
    'DEFAULT_4XX',
    'MISSING_AUTHENTICATION_TOKEN',
    'RESOURCE_NOT_FOUND',
    'ACCESS_DENIED',
    'INVALID_SIGNATURE',
    'EXPIRED_TOKEN',
  ],
  // All rules of the firewall are rate limits.
  RATE_LIMITED: ['THROTTLED', 'QUOTA_EXCEEDED', 'WAF_FILTERED'],
  PAYLOAD_TOO_LARGE: ['REQUEST_TOO_LARGE'],
  // A content encoding that API Gateway does not support. Every Content-Type reaches the function.
  UNSUPPORTED_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
  TIMEOUT: ['INTEGRATION_TIMEOUT'],
  SERVER_ERROR: ['DEFAULT_5XX', 'INTEGRATION_FAILURE'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/** Contract C7. */
const BODY_ERRORS: Partial<Readonly<Record<ErrorCode, ServiceErrorOptions>>> = {
  PAYLOAD_TOO_LARGE: { details: TOO_LARGE },
  UNSUPPORTED_MEDIA_TYPE: COMPRESSED_BODY,
};

/** In 5xx messages: the function may continue and charge after a timeout. */
const MAYBE_CHARGED =
  'This request may have been charged. If you sent an Idempotency-Key, retry with the same key: you are not charged twice.';

/** By type, formatted for an OpenAPI document. */
export function gatewayResponses(): Record<string, object> {
  return responses((code) => ({ template: envelope(code), headers: {} }));
}

/** They do not mention charges: the console charges no live credits. */
export function consoleGatewayResponses(): Record<string, object> {
  // API Gateway does not accept the single quotes of the policy, and JSON does not need it.
  const plain = Object.entries(SECURITY_HEADERS).filter(([, value]) => !value.includes("'"));
  const headers = Object.fromEntries(plain.map(([name, value]) => [name, `'${value}'`]));
  return responses((code) => ({ template: consoleEnvelope(code), headers }));
}

/** With API Gateway's own messages, which say what is wrong with a signature. */
export function operatorGatewayResponses(): Record<string, object> {
  const response = {
    responseTemplates: { 'application/json': '{"error":{"message":$context.error.messageString}}' },
  };
  return { DEFAULT_4XX: response, DEFAULT_5XX: response };
}

type Describe = (code: ErrorCode) => { template: string; headers: Readonly<Record<string, string>> };

function responses(describe: Describe): Record<string, object> {
  const codes = Object.entries(TYPES_BY_CODE) as [ErrorCode, readonly string[]][];
  return Object.fromEntries(
    codes.flatMap(([code, types]) => types.map((type) => [type, gatewayResponse(code, describe)])),
  );
}

function gatewayResponse(code: ErrorCode, describe: Describe): object {
  const { status, retry } = CATALOGUE[code];
  const { template, headers } = describe(code);
  const all = {
    'Cache-Control': "'no-store'",
    'X-Content-Type-Options': "'nosniff'",
    'X-Request-Id': 'context.requestId',
    ...headers,
    ...(retry === 'later' && { 'Retry-After': "'1'" }),
  };
  return {
    statusCode: String(status),
    responseParameters: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': template },
  };
}

/** Without `$context.error.message`, which could quote the request. */
function envelope(code: ErrorCode): string {
  const { status } = CATALOGUE[code];
  const { message = CATALOGUE[code].message, details = CATALOGUE[code].details } = BODY_ERRORS[code] ?? {};
  const text = JSON.stringify({
    success: false,
    code,
    message: status >= 500 ? `${message} ${MAYBE_CHARGED}` : message,
    verification_type: '',
    summary: { verified: false, verification_type: '', provider: '', confidence_score: 0 },
    data: null,
    ...(details && { error: details }),
    meta: META,
  });
  // The specification requires a float.
  return text.replace('"confidence_score":0', '"confidence_score":0.0');
}

function consoleEnvelope(code: ErrorCode): string {
  const { message = CATALOGUE[code].message, details } = BODY_ERRORS[code] ?? {};
  const error = details && { error: details };
  return JSON.stringify({ success: false, code, message, data: null, ...error, meta: META });
}

const META = { request_id: '$context.requestId', timestamp: '' };
