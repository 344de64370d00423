import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ConsoleCode, type ErrorCode, entryOf, type ServiceError } from '../../core/errors.ts';
import { newRequestId } from '../../core/ids.ts';
import { isKnown, weakTag } from '../cacheable.ts';
import type { Format } from '../chain.ts';
import { compress } from '../compress.ts';
import type { HttpResponse } from '../result.ts';
import {
  ConsoleContext,
  type ConsoleFile,
  type ConsoleResult,
  type PublicResult,
  type Redirect,
} from './context.ts';
import { CLEAR_SESSION_COOKIE, CLEAR_SIGN_IN_COOKIE } from './cookies.ts';
import type { ConsoleEnvelope } from './envelope.ts';
import { type ConsoleRouteName, consoleRouteOf } from './routes.ts';

/** The short envelope, files, redirects and cookies. */
export function consoleFormat(name: ConsoleRouteName, nowMs: () => number): Format<ConsoleContext> {
  return {
    name: `console-${name}`,
    begin: ({ requestContext: { requestTimeEpoch: requestedAtMs } }) =>
      new ConsoleContext(name, {
        requestId: newRequestId(),
        requestedAtMs,
        route: consoleRouteOf(name),
        nowMs: nowMs(),
      }),
    ofResult(result, context, event) {
      if (isConsoleResult(result)) return successOf(result, context, event);
      if (isConsoleFile(result)) return fileOf(result, context);
      if (isPublicResult(result)) return publicOf(result, context, event);
      return isRedirect(result) ? redirectOf(result, context) : undefined;
    },
    ofError: failureOf,
  };
}

const has = (result: unknown, field: string) =>
  typeof result === 'object' && result !== null && field in result;
const isConsoleResult = (result: unknown): result is ConsoleResult => has(result, 'data');
const isConsoleFile = (result: unknown): result is ConsoleFile => has(result, 'file');
const isRedirect = (result: unknown): result is Redirect => has(result, 'location');
const isPublicResult = (result: unknown): result is PublicResult => has(result, 'content');

function successOf(
  { data, cookies = [] }: ConsoleResult,
  context: ConsoleContext,
  event: APIGatewayProxyEvent,
): HttpResponse {
  context.line.code = 'OK';
  const envelope = { success: true, code: 'OK', message: 'OK.', data, meta: metaOf(context) };
  return withCookies(jsonOf(200, envelope, context, event), cookies);
}

function fileOf({ file }: ConsoleFile, context: ConsoleContext): HttpResponse {
  context.line.code = 'FILE';
  const { name, contentType, bytes } = file;
  const headers = {
    ...context.headers,
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { statusCode: 200, headers, body, isBase64Encoded: true };
}

/** Or 304 if the client has the content. */
function publicOf(
  { content, maxAgeSeconds }: PublicResult,
  context: ConsoleContext,
  event: APIGatewayProxyEvent,
): HttpResponse {
  context.line.code = 'OK';
  const cached = { etag: weakTag(content), cacheControl: `public, max-age=${maxAgeSeconds}` };
  if (isKnown(cached, context.headers, event))
    return compress({ statusCode: 304, headers: context.headers, body: '' }, event);
  if ('data' in content) return successOf(content, context, event);
  const headers = { ...context.headers, 'Content-Type': content.contentType };
  return compress({ statusCode: 200, headers, body: content.text }, event);
}

/** The browser continues with a GET. */
function redirectOf({ location, cookies = [] }: Redirect, context: ConsoleContext): HttpResponse {
  context.line.code ||= 'REDIRECT';
  const headers = { ...context.headers, Location: location };
  return withCookies({ statusCode: 303, headers, body: '' }, cookies);
}

/** Only the log says which check failed. */
const SIGN_IN_FAILED: Redirect = { location: '/sign-in?failed=1', cookies: [CLEAR_SIGN_IN_COOKIE] };

/** Sign-in routes redirect to a page, because the browser opens them. */
function failureOf(
  { code, message, details, retryAfterSeconds, others }: ServiceError<ErrorCode | ConsoleCode>,
  context: ConsoleContext,
  event: APIGatewayProxyEvent,
): HttpResponse {
  context.line.code = code;
  if (context.isSignIn) return redirectOf(SIGN_IN_FAILED, context);
  if (retryAfterSeconds !== undefined) context.headers['Retry-After'] = String(retryAfterSeconds);
  const more = others.map((one) => ({ field: one.details?.field ?? '', message: one.message }));
  const error = details && { error: { ...details, ...(more.length > 0 && { others: more }) } };
  const envelope = { success: false, code, message, data: null, ...error, meta: metaOf(context) };
  const response = jsonOf(entryOf(code).status, envelope, context, event);
  return withCookies(response, context.clearsCookie ? [CLEAR_SESSION_COOKIE] : []);
}

function withCookies(response: HttpResponse, cookies: readonly string[]): HttpResponse {
  return cookies.length === 0 ? response : { ...response, multiValueHeaders: { 'Set-Cookie': [...cookies] } };
}

function jsonOf(
  statusCode: number,
  envelope: ConsoleEnvelope<unknown>,
  { headers }: ConsoleContext,
  event: APIGatewayProxyEvent,
): HttpResponse {
  const type = { 'Content-Type': 'application/json' };
  return compress({ statusCode, headers: { ...headers, ...type }, body: JSON.stringify(envelope) }, event);
}

function metaOf({ requestId }: ConsoleContext) {
  return { request_id: requestId, timestamp: new Date().toISOString() };
}
