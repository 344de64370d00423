import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { envelopeText, failureEnvelope, type Meta, verifiedEnvelope } from '../verifications/envelope.ts';
import { failureCode } from '../verifications/outcome-codes.ts';
import type { VerificationResult } from '../verifications/result.ts';
import { type HttpResponse, type RequestContext, required } from './context.ts';

/** What a GET route answers: its own data in the short envelope (decision C1). */
export interface Information {
  readonly kind: 'information';
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** A whole document, such as the API's description or the page behind a slip's QR code. */
export interface Document {
  readonly kind: 'document';
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type Result = VerificationResult | Information | Document;

/** Turns a handler's result into the HTTP response, and notes its code for the log line. */
export function responseOf(result: Result, requestContext: RequestContext, now: Date): HttpResponse {
  if (result.kind === 'information') return informationResponse(result, requestContext, now);
  if (result.kind === 'document') {
    requestContext.code = 'DOCUMENT';
    return response(requestContext, result.status, result.contentType, result.body);
  }
  requestContext.provider = result.provider.displayName;
  if (result.failedProviders) requestContext.failedProviders = result.failedProviders;
  const { idType } = required(requestContext.command, 'command');
  if (result.kind !== 'found') {
    requestContext.detail = result.detail;
    requestContext.maybeBilled = result.maybeBilled === true;
    return failureResponse(failureCode(result.kind, idType, requestContext.errorStyle), requestContext, now);
  }
  requestContext.code = `${idType}_VERIFIED`;
  const { content } = result;
  if (content.type === 'pdf') return pdfResponse(content, requestContext);
  const envelope = verifiedEnvelope(
    idType,
    requestContext.provider,
    content.data,
    meta(requestContext, now),
    content.warning,
  );
  return response(requestContext, 200, 'application/json', envelopeText(envelope));
}

/** Seconds that a client waits before it tries again where nothing better is known. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Readonly<Record<ErrorCode, number>>> = {
  SERVICE_UNAVAILABLE: 5,
  OUTCOME_UNKNOWN: 2,
};

export function failureResponse(
  code: ErrorCode,
  requestContext: RequestContext,
  now: Date,
  options: { readonly message?: string; readonly retryAfterSeconds?: number | undefined } = {},
): HttpResponse {
  requestContext.code = code;
  const retryAfter = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) requestContext.headers['Retry-After'] = String(retryAfter);
  const envelope = failureEnvelope(
    code,
    requestContext.idType,
    requestContext.provider,
    meta(requestContext, now),
    options.message,
  );
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
  requestContext: RequestContext,
  statusCode: number,
  contentType: string,
  body: string,
): HttpResponse {
  return { statusCode, headers: { ...requestContext.headers, 'Content-Type': contentType }, body };
}

function meta(requestContext: RequestContext, now: Date): Meta {
  return { request_id: requestContext.requestId, timestamp: now.toISOString() };
}
