import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CATALOGUE, type ErrorCode, type ServiceError } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';
import { newOperationId, newRequestId } from '../core/ids.ts';
import type { Format } from './chain.ts';
import { compress } from './compress.ts';
import { ApiContext, type ErrorStyle, type KeyState } from './context.ts';
import { envelopeText, type FailureText, failureEnvelope, type Meta } from './envelope.ts';
import { IDEMPOTENCY_HEADER, idempotencyHeader } from './idempotency-key.ts';
import { isChargeUnknown } from './report-request.ts';
import type { HttpResponse, Information, Result } from './result.ts';

export interface ApiRoute {
  /** The same for all its paths, in logs, metrics and traces. */
  readonly name: string;
  /** @default 'dedicated' */
  readonly errorStyle?: ErrorStyle;
  /** Absent if the body names it, or there is none. */
  readonly idType?: IdType;
}

/** Undefined if it is no result of a look-up. */
export type OfLookUp = (result: unknown, requestContext: ApiContext) => HttpResponse | undefined;

interface ApiFormatOptions {
  /** Its responses then say what was charged. */
  readonly isKeyed: boolean;
  readonly ofLookUp?: OfLookUp;
}

/** The envelope, documents and PDFs (contract C1). */
export function apiFormat(
  { name, errorStyle = 'dedicated', idType }: ApiRoute,
  { isKeyed, ofLookUp }: ApiFormatOptions,
): Format<ApiContext> {
  const finish = (response: HttpResponse, { line, keyState }: ApiContext, event: APIGatewayProxyEvent) => {
    const compressed = compress(response, event);
    if (!isKeyed) return compressed;
    // `unknown`: a retry under the same Idempotency-Key shows it.
    const charged = isChargeUnknown(line.code) ? 'unknown' : String(line.creditsCharged);
    const about = { 'X-Credits-Charged': charged, ...(keyState && KEY_CHARGED[keyState]) };
    return { ...compressed, headers: { ...compressed.headers, ...about } };
  };
  return {
    name,
    begin(event) {
      const requestId = newRequestId();
      const keyHeader = idempotencyHeader(event);
      const requestContext = new ApiContext({
        requestId,
        operationId: newOperationId(),
        requestedAtMs: event.requestContext.requestTimeEpoch,
        errorStyle,
        idType: idType ?? '',
        headers: {
          'X-Request-Id': requestId,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
          ...keyHeader,
        },
      });
      if (ofLookUp && IDEMPOTENCY_HEADER in keyHeader) requestContext.keyState = 'unknown';
      return requestContext;
    },
    ofResult(result, requestContext, event) {
      const response = ofLookUp?.(result, requestContext) ?? responseOf(result, requestContext);
      return response && finish(response, requestContext, event);
    },
    ofError: (error, requestContext, event) =>
      finish(failureResponse(error.code as ErrorCode, requestContext, error), requestContext, event),
  };
}

function responseOf(result: unknown, requestContext: ApiContext): HttpResponse | undefined {
  const { headers, line } = requestContext;
  if (!isResult(result)) return undefined;
  switch (result.kind) {
    case 'information':
      return informationResponse(result, requestContext);
    case 'document':
      line.code = 'DOCUMENT';
      return response(requestContext, result.status, result.contentType, result.body);
    case 'pdf':
      return pdfResponse(result, requestContext);
    case 'not-modified':
      line.code = 'NOT_MODIFIED';
      return { statusCode: 304, headers: { ...headers }, body: '' };
  }
}

const KINDS: readonly string[] = [
  'information',
  'document',
  'pdf',
  'not-modified',
] satisfies Result['kind'][];

const isResult = (result: unknown): result is Result =>
  typeof result === 'object' && result !== null && KINDS.includes(String(Reflect.get(result, 'kind')));

/** If no exact time is known. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Readonly<Record<ErrorCode, number>>> = {
  SERVICE_UNAVAILABLE: 5,
  OUTCOME_UNKNOWN: 2,
};

/** In the envelope. */
export function failureResponse(
  code: ErrorCode,
  requestContext: ApiContext,
  options: FailureText & Pick<Partial<ServiceError>, 'retryAfterSeconds'> = {},
): HttpResponse {
  const { headers, idType, line } = requestContext;
  line.code = code;
  if (requestContext.keyState && isChargeUnknown(code)) requestContext.keyState = 'unknown';
  const retryAfter = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  const { status, message: usual } = CATALOGUE[code];
  const { message = usual, details } = options;
  // The key may send more requests, and only this one is over another limit.
  if (code === 'RATE_LIMITED' && details && details.reason !== 'rate_limit') delete headers['RateLimit'];
  const text = [message, ...aboutKey(status, requestContext)].join(' ');
  const envelope = failureEnvelope(code, idType, line.provider, meta(requestContext), {
    message: text,
    details,
  });
  return response(requestContext, status, 'application/json', envelopeText(envelope));
}

/** Absent if it is not known (contract C10). */
const KEY_CHARGED: Readonly<Record<KeyState, Readonly<Record<string, string>>>> = {
  charged: { 'Idempotency-Key-Charged': 'true' },
  not_charged: { 'Idempotency-Key-Charged': 'false' },
  unknown: {},
};

/** What is known of the Idempotency-Key, after 429 and 5xx: of these, the caller may not know it. */
function aboutKey(status: number, { keyState }: ApiContext): string[] {
  if (!keyState || (status !== 429 && status < 500)) return [];
  switch (keyState) {
    case 'charged':
      return [
        `A request with this ${IDEMPOTENCY_HEADER} was charged. A retry with the same key is not charged again.`,
      ];
    case 'not_charged':
      return [`No request with this ${IDEMPOTENCY_HEADER} was charged.`];
    case 'unknown':
      return [
        `GET /v1/verifications?idempotency_key=... shows whether a request with this ${IDEMPOTENCY_HEADER} was charged.`,
      ];
  }
}

function informationResponse({ code, message, data }: Information, requestContext: ApiContext): HttpResponse {
  requestContext.line.code = code;
  const body = { success: true, code, message, data, meta: meta(requestContext) };
  return response(requestContext, 200, 'application/json', JSON.stringify(body));
}

/** A PDF to download. */
export function pdfResponse(
  { bytes, fileName }: { readonly bytes: Uint8Array; readonly fileName: string },
  requestContext: ApiContext,
): HttpResponse {
  requestContext.line.code ||= 'DOCUMENT';
  requestContext.headers['Content-Disposition'] = `attachment; filename="${fileName}"`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { ...response(requestContext, 200, 'application/pdf', body), isBase64Encoded: true };
}

/** With the headers of the request's context. */
export function response(
  { headers }: ApiContext,
  statusCode: number,
  contentType: string,
  body: string,
): HttpResponse {
  return { statusCode, headers: { ...headers, 'Content-Type': contentType }, body };
}

export function meta({ requestId, replayOf }: ApiContext): Meta {
  const timestamp = new Date().toISOString();
  return { request_id: requestId, timestamp, ...(replayOf && { replay_of: replayOf }) };
}
