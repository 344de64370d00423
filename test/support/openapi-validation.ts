import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RouteName } from '../../infra/openapi/route-codes.ts';
import { hasLongNumber, isPrintable } from '../../shared/core/printable-text.ts';

/** Validates requests and responses against docs/openapi.json. What the document does not describe is an error. */

type Json = { readonly [name: string]: Json | undefined };

const ID = 'openapi.json';
const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Json;
// The document itself is not a schema. Only the schemas in it are compiled.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addFormat('printable-text', (text: string) => isPrintable(text) && !hasLongNumber(text));
ajv.addSchema(document as object, ID);

const compiled = new Map<string, ValidateFunction>();

/** A position in the document: the keys that lead to it. */
type Position = readonly string[];

interface Operation {
  readonly name: string;
  readonly position: Position;
}

const OPERATIONS: readonly (Operation & { readonly method: string; readonly path: RegExp })[] =
  Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: spellings(path),
      name: String(operation?.['operationId']),
      position: ['paths', path, method],
    })),
  );

/** Returns a pattern for all spellings of a documented path (decision A1). */
function spellings(path: string): RegExp {
  const bare = path.replace(/^\/api/, '').replace(/\/$/, '');
  return new RegExp(`^(?:/api)?${bare.replace(/\./g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
}

/** Returns the operation of a route's name or of `METHOD /path` in any spelling, or undefined for an unknown route. */
function operationOf(route: RouteName | `${string} /${string}`): Operation | undefined {
  const [sent = '', path = ''] = route.split(' ');
  // HEAD is served wherever GET is (decision A8).
  const method = sent === 'HEAD' ? 'GET' : sent;
  const [bare = ''] = path.split('?');
  return OPERATIONS.find(
    (operation) => operation.name === route || (operation.method === method && operation.path.test(bare)),
  );
}

/** Follows all `$ref`s from a position. */
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
  const operation = operationOf(route);
  if (!operation) return responseProblemsAt(['x-unknown-route', 'responses', String(status)], headers, body);
  return responseProblemsAt([...operation.position, 'responses', String(status)], headers, body);
}

function responseProblemsAt(start: Position, headers: ResponseHeaders, body: unknown): string[] {
  const { position, value } = resolved(start);
  if (!value) return [`${start.join(' ')} is not documented`];
  const present = headers instanceof Headers ? headers : new Headers(definedOnly(headers));
  // API Gateway adds a content type to responses without one, even if they have no body.
  if (!value['content'] && !body) return headerProblems([...position, 'headers'], present);
  const [type = ''] = (present.get('content-type') ?? '').split(';');
  if (!value['content']?.[type]) return [`the content type ${type} is not documented`];
  if (body === undefined) return headerProblems([...position, 'headers'], present);
  const isJson = type === 'application/json';
  const parsed = isJson ? parse(body) : '';
  return [
    ...headerProblems([...position, 'headers'], present),
    ...schemaProblems([...position, 'content', type, 'schema'], parsed),
  ];
}

function definedOnly(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function parse(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : body;
}

function headerProblems(position: Position, present: Headers): string[] {
  const { value = {} } = resolved(position);
  return Object.keys(value).flatMap((name) => {
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

/** Returns how a parsed request body differs from the document. */
export function requestProblems(route: RouteName | `${string} /${string}`, body: unknown): string[] {
  const operation = operationOf(route);
  if (!operation) return [`${route} is not documented`];
  return schemaProblems(
    [...operation.position, 'requestBody', 'content', 'application/json', 'schema'],
    body,
  );
}

/** A request as an API test sent it. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body, or undefined if it is not JSON text. */
  readonly body: unknown;
  /** Ordinary JSON text without special headers, so that only its content can be malformed. */
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
  const problems = requestProblems(route, withOneName(body));
  if (status === 200 && problems.length > 0)
    throw new Error(`${route} accepted an undocumented body:\n- ${problems.join('\n- ')}`);
  if (isPlain && problems.length === 0 && json?.code === 'INVALID_SCHEMA')
    throw new Error(`${route} rejected a documented body as malformed: ${text}`);
}

/** Merges both names of a number if their values are equal (decision A4). A schema cannot express this rule. */
function withOneName(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('id_number' in body)) return body;
  const { id_number: number } = body;
  const isSame = (name: string, value: unknown) => name !== 'id_number' && value === number;
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !isSame(name, value)));
}
