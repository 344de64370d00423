import type { RestApi } from './rest-body.ts';

/** With the content that the templates declare. */

interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** With AWS's default status and message. */
const DEFAULTS = {
  ACCESS_DENIED: { status: 403, message: 'Forbidden' },
  BAD_REQUEST_PARAMETERS: { status: 400, message: 'Bad Request' },
  EXPIRED_TOKEN: { status: 403, message: 'Signature expired' },
  INVALID_SIGNATURE: { status: 403, message: 'Invalid signature' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  // AWS has no name for this type: only DEFAULT_5XX applies.
  FUNCTION_FAILED: { status: 502, message: 'Internal server error' },
  // Lambda rejected the invocation (Lambda developer guide, "Handling Lambda errors with an API Gateway API").
  FUNCTION_THROTTLED: { status: 500, message: 'Internal server error' },
} as const;

export type GatewayResponseType = keyof typeof DEFAULTS;

/** The names of errors in the header `x-amzn-ErrorType`. For other types, it contains the type. */
const ERROR_NAMES: Partial<Readonly<Record<GatewayResponseType, string>>> = {
  ACCESS_DENIED: 'AccessDeniedException',
  EXPIRED_TOKEN: 'InvalidSignatureException',
  INVALID_SIGNATURE: 'InvalidSignatureException',
  MISSING_AUTHENTICATION_TOKEN: 'MissingAuthenticationTokenException',
};

/** Returns a function that builds the response of a type for a request ID. The message is the type's by default. */
export function gatewayResponses({
  gatewayResponses: declared,
}: Pick<RestApi, 'gatewayResponses'>): (
  type: GatewayResponseType,
  requestId: string,
  message?: string,
) => GatewayResponse {
  return (type, requestId, message = DEFAULTS[type].message) => {
    const { status } = DEFAULTS[type];
    const response = declared[type] ?? declared[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
    const fillIn = (text: string) =>
      text
        .replaceAll('$context.requestId', requestId)
        // A message may contain a path such as `/$&`, which would be special in a string.
        .replaceAll('$context.error.messageString', () => JSON.stringify(message))
        .replaceAll('$context.error.message', () => message);
    const [contentType, template] = Object.entries(response?.responseTemplates ?? {})[0] ?? [
      'application/json',
      '{"message":$context.error.messageString}',
    ];
    const headers: Record<string, string> = {
      'Content-Type': contentType,
      'x-amzn-RequestId': requestId,
      'x-amzn-ErrorType': ERROR_NAMES[type] ?? type,
    };
    for (const [target, value] of Object.entries(response?.responseParameters ?? {})) {
      const [, name] = /^gatewayresponse\.header\.(.+)$/.exec(target) ?? [];
      if (name) headers[name] = value === 'context.requestId' ? requestId : value.replace(/^'|'$/g, '');
    }
    return { status: response?.statusCode ?? status, headers, body: fillIn(template) };
  };
}
