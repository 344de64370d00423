import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import {
  envelopeText,
  type FailureText,
  failureEnvelope,
  type Meta,
  verifiedEnvelope,
} from '../verifications/envelope.ts';
import { failureCode } from '../verifications/outcome-codes.ts';
import type { Command } from '../verifications/requests.ts';
import type { FailedResult } from '../verifications/result.ts';
import type { RequestContext } from './context.ts';
import type { HttpResponse, Information, Result } from './result.ts';

/** Converts a route's result to the HTTP response, and records its code for the log line. */
export function responseOf(result: Result, requestContext: RequestContext, now: Date): HttpResponse {
  if (result.kind === 'information') return informationResponse(result, requestContext, now);
  if (result.kind === 'document') {
    requestContext.code = 'DOCUMENT';
    return response(requestContext, result.status, result.contentType, result.body);
  }
  if (result.kind === 'pdf') {
    requestContext.code = 'DOCUMENT';
    return pdfResponse(result, requestContext);
  }
  if (result.kind === 'not-modified') {
    requestContext.code = 'NOT_MODIFIED';
    return { statusCode: 304, headers: { ...requestContext.headers }, body: '' };
  }
  requestContext.provider = result.provider.displayName;
  const { idType } = requestContext.command;
  if (result.kind !== 'found') {
    requestContext.detail = result.detail;
    requestContext.isProviderUnavailable = isRegistryFailure(result);
    requestContext.maybeBilled = result.maybeBilled === true;
    const code = failureCode(result.kind, idType, requestContext.errorStyle);
    return failureResponse(code, requestContext, now, failureText(result, requestContext.command));
  }
  requestContext.code = `${idType}_VERIFIED`;
  const { content } = result;
  if (content.type === 'pdf') return pdfResponse(content, requestContext);
  const { provider } = requestContext;
  const envelope = verifiedEnvelope(idType, provider, content.data, meta(requestContext, now), content);
  return response(requestContext, 200, 'application/json', envelopeText(envelope));
}

/**
 * Whether a registry caused the failure. With `fenced`, the look-up ended in time but its charge did not, which is a
 * fault of the service.
 */
function isRegistryFailure({ kind, detail }: FailedResult): boolean {
  return (kind === 'unreachable' || kind === 'timeout') && detail !== 'fenced';
}

/**
 * Returns the message and details of a failure that the caller can correct: those of `rejection`, or a hint for a
 * number without a record. Other failures have none.
 */
function failureText({ kind, rejection }: FailedResult, { numberField }: Command): FailureText {
  if (rejection) return { message: rejection.hint, details: rejection };
  if (kind !== 'not-found') return {};
  return { details: { reason: 'no_record', field: numberField, hint: 'Check the number.' } };
}

/** The Retry-After in seconds, if no exact time is known. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Readonly<Record<ErrorCode, number>>> = {
  SERVICE_UNAVAILABLE: 5,
  OUTCOME_UNKNOWN: 2,
};

/** Returns the response for an error code, in the envelope. */
export function failureResponse(
  code: ErrorCode,
  requestContext: RequestContext,
  now: Date,
  options: FailureText & { readonly retryAfterSeconds?: number | undefined } = {},
): HttpResponse {
  requestContext.code = code;
  const retryAfter = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) requestContext.headers['Retry-After'] = String(retryAfter);
  const { idType, provider } = requestContext;
  const envelope = failureEnvelope(code, idType, provider, meta(requestContext, now), options);
  return response(requestContext, CATALOGUE[code].status, 'application/json', envelopeText(envelope));
}

function informationResponse(
  { code, message, data }: Information,
  requestContext: RequestContext,
  now: Date,
): HttpResponse {
  requestContext.code = code;
  const body = { success: true, code, message, data, meta: meta(requestContext, now) };
  return response(requestContext, 200, 'application/json', JSON.stringify(body));
}

function pdfResponse(
  { bytes, fileName }: { readonly bytes: Uint8Array; readonly fileName: string },
  requestContext: RequestContext,
): HttpResponse {
  requestContext.headers['Content-Disposition'] = `attachment; filename="${fileName}"`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { ...response(requestContext, 200, 'application/pdf', body), isBase64Encoded: true };
}

function response(
  { headers }: RequestContext,
  statusCode: number,
  contentType: string,
  body: string,
): HttpResponse {
  return { statusCode, headers: { ...headers, 'Content-Type': contentType }, body };
}

function meta({ requestId }: RequestContext, now: Date): Meta {
  return { request_id: requestId, timestamp: now.toISOString() };
}
