import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { envelopeText, failureEnvelope, type Meta, verifiedEnvelope } from '../verifications/envelope.ts';
import type { Outcome } from '../verifications/outcome.ts';
import { failureCode } from '../verifications/outcome-codes.ts';
import { type Exchange, type HttpResponse, need } from './exchange.ts';

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

export type Result = Outcome | Information | Document;

/** Turns a handler's result into the HTTP response, and notes its code for the log line. */
export function answerOf(result: Result, exchange: Exchange, now: Date): HttpResponse {
  if (result.kind === 'information') return informationAnswer(result, exchange, now);
  if (result.kind === 'document') {
    exchange.code = 'DOCUMENT';
    return response(exchange, result.status, result.contentType, result.body);
  }
  exchange.provider = result.provider.displayName;
  if (result.alsoAsked) exchange.alsoAsked = result.alsoAsked;
  const { idType } = need(exchange.command, 'command');
  if (result.kind !== 'found') {
    exchange.detail = result.detail;
    exchange.maybeBilled = result.maybeBilled === true;
    return failureAnswer(failureCode(result.kind, idType, exchange.dialect), exchange, now);
  }
  exchange.code = `${idType}_VERIFIED`;
  const { content } = result;
  if (content.type === 'pdf') return pdfAnswer(content, exchange);
  const envelope = verifiedEnvelope(
    idType,
    exchange.provider,
    content.data,
    meta(exchange, now),
    content.warning,
  );
  return response(exchange, 200, 'application/json', envelopeText(envelope));
}

/** Seconds that a client waits before it tries again where nothing better is known. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Readonly<Record<ErrorCode, number>>> = {
  SERVICE_UNAVAILABLE: 5,
  OUTCOME_UNKNOWN: 2,
};

export function failureAnswer(
  code: ErrorCode,
  exchange: Exchange,
  now: Date,
  options: { readonly message?: string; readonly retryAfterSeconds?: number | undefined } = {},
): HttpResponse {
  exchange.code = code;
  const retryAfter = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) exchange.headers['Retry-After'] = String(retryAfter);
  const envelope = failureEnvelope(
    code,
    exchange.idType,
    exchange.provider,
    meta(exchange, now),
    options.message,
  );
  return response(exchange, CATALOGUE[code].status, 'application/json', envelopeText(envelope));
}

function informationAnswer(
  { code, message, data }: Information,
  exchange: Exchange,
  now: Date,
): HttpResponse {
  exchange.code = code;
  const body = { success: true, code, message, data, meta: meta(exchange, now) };
  return response(exchange, 200, 'application/json', JSON.stringify(body));
}

function pdfAnswer(
  { bytes, fileName }: { readonly bytes: Uint8Array; readonly fileName: string },
  exchange: Exchange,
): HttpResponse {
  exchange.headers['Content-Disposition'] = `attachment; filename="${fileName}"`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { ...response(exchange, 200, 'application/pdf', body), isBase64Encoded: true };
}

function response(exchange: Exchange, statusCode: number, contentType: string, body: string): HttpResponse {
  return { statusCode, headers: { ...exchange.headers, 'Content-Type': contentType }, body };
}

function meta(exchange: Exchange, now: Date): Meta {
  return { request_id: exchange.requestId, timestamp: now.toISOString() };
}
