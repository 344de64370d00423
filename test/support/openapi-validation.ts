import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { OPERATIONS as DOCUMENTED } from '../../infra/openapi/operations.ts';
import type { RouteName } from '../../infra/openapi/route-codes.ts';
import { hasLongNumber, isPrintable } from '../../shared/core/printable-text.ts';
import { REQUEST_ID } from '../../shared/core/request-id.ts';

/**
 * Validates requests and responses against docs/openapi.json. Fields, codes and statuses that a route does not list are
 * errors here, although clients must accept later additions.
 */

type Json = { readonly [name: string]: Json | undefined };

const ID = 'openapi.json';
const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Json;
// The document itself is not a schema. Only the schemas in it are compiled.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addFormat('visible-text', isPrintable);
ajv.addFormat('printable-text', (text: string) => isPrintable(text) && !hasLongNumber(text));
ajv.addFormat('person-name', (text: string) => isPrintable(text) && /\p{L}/u.test(text));
ajv.addFormat('birth-date', isBirthDate);
ajv.addKeyword({ keyword: 'x-conditions', macro: (schema: object) => schema });
// The service itself returns only the values that are listed.
ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values: unknown[]) => ({ enum: [...values, null] }) });
ajv.addSchema(withoutOtherFields(document) as object, ID);

/** Whether a string is a calendar date from 1900 to 2099, with the day or the year first. */
function isBirthDate(text: string): boolean {
  const isoDate = /^\d{2}-\d{2}-\d{4}$/.test(text) ? text.split('-').reverse().join('-') : text;
  const day = new Date(`${isoDate}T00:00:00Z`);
  return /^(?:19|20)/.test(isoDate) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(isoDate);
}

/** Forbids fields that a schema does not list. Request schemas already forbid them. */
function withoutOtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutOtherFields(inner)]);
  const isObject = 'type' in value && value.type === 'object' && 'properties' in value;
  return Object.fromEntries([...entries, ...(isObject ? [['additionalProperties', false]] : [])]);
}

const compiled = new Map<string, ValidateFunction>();

/** A position in the document: the keys that lead to it. */
type Position = readonly string[];

interface Operation {
  readonly id: string;
  readonly position: Position;
}

const OPERATIONS: readonly (Operation & { readonly method: string; readonly path: RegExp })[] =
  Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: spellings(path),
      id: String(operation?.['operationId']),
      position: ['paths', path, method],
    })),
  );

/** Returns a pattern for all spellings of a documented path (contract A1). */
function spellings(path: string): RegExp {
  const bare = path.replace(/^\/api/, '').replace(/\/$/, '');
  return new RegExp(`^(?:/api)?${bare.replace(/\./g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
}

/**
 * Returns the operation for a route's name or for `METHOD /path` in any spelling. Returns undefined for an unknown
 * route.
 */
function operationOf(route: RouteName | `${string} /${string}`): Operation | undefined {
  const [sent = '', path = ''] = route.split(' ');
  // HEAD is served wherever GET is (contract A8).
  const method = sent === 'HEAD' ? 'GET' : sent;
  const [bare = ''] = path.split('?');
  const id = route in DOCUMENTED ? DOCUMENTED[route as keyof typeof DOCUMENTED].id : undefined;
  return OPERATIONS.find(
    (operation) => operation.id === id || (operation.method === method && operation.path.test(bare)),
  );
}

/** Follows `$ref`s from a position. Returns the position to which they lead, and its value. */
function resolved(position: Position): { readonly position: Position; readonly value: Json | undefined } {
  const value = position.reduce<Json | undefined>((node, key) => node?.[key], document);
  const reference: unknown = value?.['$ref'];
  if (typeof reference !== 'string') return { position, value };
  return resolved(reference.slice(2).split('/').map(unescapePointer));
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function schemaProblems(position: Position, value: unknown): string[] {
  const pointer = position.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  const uri = `${ID}#/${pointer.join('/')}`;
  const validate = compiled.get(uri) ?? ajv.compile({ $ref: uri });
  compiled.set(uri, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export type ResponseHeaders = Headers | Readonly<Record<string, string | undefined>>;

/** Returns how a response differs from the document. `body` is text, bytes or parsed JSON, or undefined for HEAD. */
export function responseProblems(
  route: RouteName | `${string} /${string}`,
  status: number,
  headers: ResponseHeaders,
  body: unknown,
): string[] {
  const position = operationOf(route)?.position ?? ['x-unknown-route'];
  const present = headers instanceof Headers ? headers : new Headers(definedOnly(headers));
  const [type = ''] = (present.get('content-type') ?? '').split(';');
  // A 304 response has the headers of the response that the client has stored, and no body.
  const isJson = type === 'application/json' && body !== undefined && status !== 304;
  const content = isJson ? parse(body) : body;
  if (isApiGateway(content)) return apiGatewayProblems(status, present, content);
  return [
    ...responseProblemsAt([...position, 'responses', String(status)], present, type, content),
    ...(content === undefined ? [] : keyedHeaderProblems(position, status, present)),
    ...(isEnvelope(content) ? envelopeProblems(position, status, content) : []),
  ];
}

function responseProblemsAt(start: Position, present: Headers, type: string, content: unknown): string[] {
  const { position, value } = resolved(start);
  if (!value) return [`${start.join(' ')} is not documented`];
  const headers = [
    ...headerProblems(['x-headers'], present, Object.keys(value['headers'] ?? {})),
    ...headerProblems([...position, 'headers'], present),
  ];
  // API Gateway adds a content type to responses without one, even if they have no body.
  if (!value['content'] && !content) return headers;
  if (!value['content']?.[type]) return [`the content type ${type} is not documented`];
  if (content === undefined) return headers;
  const checked = type === 'application/json' ? content : '';
  return [...headers, ...schemaProblems([...position, 'content', type, 'schema'], checked)];
}

interface Envelope {
  readonly success: boolean;
  readonly code: string;
  readonly verification_type?: string;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly match?: { readonly score: number };
  readonly meta: Readonly<Record<'request_id' | 'timestamp', string>>;
}

function isEnvelope(content: unknown): content is Envelope {
  return typeof content === 'object' && content !== null && 'success' in content && 'meta' in content;
}

/** Whether API Gateway itself sent the error. Only the format of the request ID shows this. */
function isApiGateway(content: unknown): content is Envelope {
  return isEnvelope(content) && !content.success && /^[0-9a-f-]{36}$/.test(content.meta.request_id);
}

function apiGatewayProblems(status: number, present: Headers, content: Envelope): string[] {
  const documented: unknown = document['x-api-gateway-codes']?.[status]?.['code'];
  return [
    ...headerProblems(['x-headers'], present),
    ...schemaProblems(['components', 'schemas', 'Error'], content),
    ...summaryProblems(content),
    ...(content.code === documented ? [] : [`${content.code} is not a code of API Gateway with ${status}`]),
    ...(content.verification_type === '' && content.meta.timestamp === ''
      ? []
      : ['an error of API Gateway has a type or a time']),
  ];
}

function envelopeProblems(position: Position, status: number, content: Envelope): string[] {
  const problems = summaryProblems(content);
  if (!REQUEST_ID.test(content.meta.request_id)) problems.push('the request ID has another format');
  if (content.success) return problems;
  const { value: owner } = resolved(position);
  const codes: unknown = owner?.['x-error-codes'];
  const types: unknown = owner?.['x-error-verification-types'] ?? [''];
  const expected: unknown = document['x-codes']?.[content.code]?.['status'];
  if (!Array.isArray(codes) || !codes.includes(content.code))
    problems.push(`${content.code} is not documented for the route`);
  if (expected !== status) problems.push(`${content.code} is documented with ${expected}, not ${status}`);
  if (!Array.isArray(types) || !types.includes(content.verification_type))
    problems.push('verification_type is not one of the route');
  if (content.meta.timestamp === '') problems.push('an error of a function has no time');
  return problems;
}

/** Checks that an error has no data, and that the summary, if there is one, repeats the other fields. */
function summaryProblems({ success, verification_type: type, summary, data, match }: Envelope): string[] {
  const problems = success || data === null ? [] : ['the data of an error is not null'];
  if (!summary) return problems;
  const { provider, ...others } = summary;
  const score = match?.score ?? (success ? 1 : 0);
  const expected = { verified: success, verification_type: type, confidence_score: score };
  if (!isDeepStrictEqual(others, expected)) problems.push('the summary contradicts the envelope');
  if (success && provider === '') problems.push('the summary of a record names no provider');
  return problems;
}

/** Statuses that are returned only after the rate limiter has allowed the request. */
const AFTER_RATE_LIMIT: readonly number[] = [200, 304, 400, 402, 409, 415, 422];

/** Returns the headers that every route with a key sends, but that are missing from a response. */
function keyedHeaderProblems(position: Position, status: number, present: Headers): string[] {
  const isKeyed = position[0] === 'paths' && !resolved(position).value?.['security'];
  if (!isKeyed) return [];
  const limits = AFTER_RATE_LIMIT.includes(status) ? ['RateLimit', 'RateLimit-Policy'] : [];
  return ['X-Credits-Charged', ...limits]
    .filter((name) => !present.has(name))
    .map((name) => `the header ${name} is missing`);
}

function definedOnly(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function parse(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : body;
}

/** Returns how the headers differ from those documented at a position. Ignores the names in `elsewhere`. */
function headerProblems(position: Position, present: Headers, elsewhere: readonly string[] = []): string[] {
  const { value = {} } = resolved(position);
  const names = Object.keys(value).filter((name) => !elsewhere.includes(name));
  return names.flatMap((name) => {
    const header = resolved([...position, name]);
    const text = present.get(name);
    if (text === null) return header.value?.['required'] ? [`the header ${name} is missing`] : [];
    return schemaProblems([...header.position, 'schema'], text).map(
      (problem) => `the header ${name}${problem}`,
    );
  });
}

/** Throws an error that lists how a response differs from the document. */
export function validateResponse(
  route: RouteName | `${string} /${string}`,
  status: number,
  headers: ResponseHeaders,
  body: unknown,
): void {
  const problems = responseProblems(route, status, headers, body);
  if (problems.length > 0)
    throw new Error(`The response ${status} of ${route} is not as documented:\n- ${problems.join('\n- ')}`);
}

export function requestProblems(route: RouteName | `${string} /${string}`, body: unknown): string[] {
  const operation = operationOf(route);
  if (!operation) return [`${route} is not documented`];
  const media = ['requestBody', 'content', 'application/json', 'schema'];
  const { position, value } = resolved([...operation.position, ...media]);
  // The form of the check page, which is not JSON.
  if (value === undefined) return [];
  return schemaProblems(position, withoutAliases(value?.['x-aliases'] ?? {}, body));
}

/** Renames the aliases of fields, unless both names have different values (contract A4). */
function withoutAliases(aliases: Json, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const given = body as Readonly<Record<string, unknown>>;
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const named: unknown = aliases[name];
    if (typeof named !== 'string') return [[name, value]];
    return named in given && given[named] !== value
      ? [[`${name} with another value`, value]]
      : [[named, value]];
  });
  return Object.fromEntries(entries);
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body, or undefined if it is not JSON text. */
  readonly body: unknown;
  /** Whether it is ordinary JSON text without special headers, so that only its content can be malformed. */
  readonly isPlain: boolean;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: { readonly code: string } | undefined;
}

/**
 * Throws if the response is not as documented, if a request body that the document does not allow succeeded, or if one
 * that it allows was rejected as malformed.
 */
export function validateExchange(
  { method, path, body, isPlain }: SentRequest,
  { status, headers, text, json }: ReceivedResponse,
): void {
  const route = `${method} ${path}` as `${string} /${string}`;
  validateResponse(route, status, headers, method === 'HEAD' ? undefined : text);
  if (method !== 'POST' || !operationOf(route)) return;
  const problems = requestProblems(route, body);
  if (status === 200 && problems.length > 0)
    throw new Error(`${route} accepted an undocumented body:\n- ${problems.join('\n- ')}`);
  if (isPlain && problems.length === 0 && json?.code === 'INVALID_SCHEMA')
    throw new Error(`${route} rejected a documented body as malformed: ${text}`);
}
