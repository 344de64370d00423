import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RouteName } from '../../infra/openapi/route-codes.ts';

/** Holds requests and answers to docs/openapi.json: what it does not document is a failure. */

type Json = { readonly [name: string]: Json | undefined };

const ID = 'openapi.json';
const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Json;
// The document is no schema itself; only those that stand in it are compiled, and they are strict by their content.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addSchema(document as object, ID);

const compiled = new Map<string, ValidateFunction>();

/** A place in the document, as the keys that lead there. */
type Place = readonly string[];

interface Operation {
  readonly name: string;
  readonly place: Place;
}

const OPERATIONS: readonly (Operation & { readonly method: string; readonly path: RegExp })[] =
  Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: spellings(path),
      name: String(operation?.['operationId']),
      place: ['paths', path, method],
    })),
  );

/** All spellings of a documented path (decision A1). */
function spellings(path: string): RegExp {
  const bare = path.replace(/^\/api/, '').replace(/\/$/, '');
  return new RegExp(`^(?:/api)?${bare.replace(/\./g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
}

/** The operation of a route's name, or of `METHOD /path` in any spelling. Everything else is the unknown route. */
function operationOf(route: RouteName | `${string} /${string}`): Operation | undefined {
  const [method = '', path = ''] = route.split(' ');
  const [bare = ''] = path.split('?');
  return OPERATIONS.find((one) => one.name === route || (one.method === method && one.path.test(bare)));
}

/** Follows `$ref`s until there is none. */
function resolved(place: Place): { readonly place: Place; readonly value: Json | undefined } {
  const value = place.reduce<Json | undefined>((node, key) => node?.[key], document);
  const reference: unknown = value?.['$ref'];
  if (typeof reference !== 'string') return { place, value };
  return resolved(reference.slice(2).split('/').map(unescapePointer));
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function schemaProblems(place: Place, value: unknown): string[] {
  const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  const uri = `${ID}#/${pointer.join('/')}`;
  const validate = compiled.get(uri) ?? ajv.compile({ $ref: uri });
  compiled.set(uri, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export type AnswerHeaders = Headers | Readonly<Record<string, string | undefined>>;

/** What is wrong with an answer, in words; empty where it is as documented. `body` is text, bytes or parsed JSON. */
export function answerProblems(
  route: RouteName | `${string} /${string}`,
  status: number,
  headers: AnswerHeaders,
  body: unknown,
): string[] {
  const operation = operationOf(route);
  if (!operation) return answerProblemsAt(['x-unknown-route', 'responses', String(status)], headers, body);
  return answerProblemsAt([...operation.place, 'responses', String(status)], headers, body);
}

function answerProblemsAt(start: Place, headers: AnswerHeaders, body: unknown): string[] {
  const { place, value } = resolved(start);
  if (!value) return [`${start.join(' ')} is not documented`];
  const given = headers instanceof Headers ? headers : new Headers(definedOnly(headers));
  const [type = ''] = (given.get('content-type') ?? '').split(';');
  if (!value['content']?.[type]) return [`the content type ${type} is not documented`];
  const isJson = type === 'application/json';
  const parsed = isJson ? parse(body) : '';
  return [
    ...headerProblems([...place, 'headers'], given),
    ...schemaProblems([...place, 'content', type, 'schema'], parsed),
  ];
}

function definedOnly(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function parse(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : body;
}

function headerProblems(place: Place, given: Headers): string[] {
  const { value = {} } = resolved(place);
  return Object.keys(value).flatMap((name) => {
    const header = resolved([...place, name]);
    const text = given.get(name);
    if (text === null) return header.value?.['required'] ? [`the header ${name} is missing`] : [];
    return schemaProblems([...header.place, 'schema'], text).map((problem) => `the header ${name}${problem}`);
  });
}

/** Throws with every deviation of an answer from the document. */
export function validateAnswer(
  route: RouteName | `${string} /${string}`,
  status: number,
  headers: AnswerHeaders,
  body: unknown,
): void {
  const problems = answerProblems(route, status, headers, body);
  if (problems.length > 0)
    throw new Error(`${route} answered ${status} not as documented:\n- ${problems.join('\n- ')}`);
}

/** What is wrong with a request's JSON body (parsed), in words; empty where it is as documented. */
export function requestProblems(route: RouteName | `${string} /${string}`, body: unknown): string[] {
  const operation = operationOf(route);
  if (!operation) return [`${route} is not documented`];
  return schemaProblems([...operation.place, 'requestBody', 'content', 'application/json', 'schema'], body);
}

/** A request as an API test sent it. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed body; undefined where it was no JSON text. */
  readonly body: unknown;
  /** Ordinary JSON text without headers of its own: nothing but its content can be malformed. */
  readonly isPlain: boolean;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: { readonly code: string } | undefined;
}

/**
 * Throws where an answer is not as documented, where a body was served that the document does not allow, or where
 * one that it allows was called malformed.
 */
export function validateExchange(
  { method, path, body, isPlain }: SentRequest,
  { status, headers, text, json }: ReceivedResponse,
): void {
  const route = `${method} ${path}` as `${string} /${string}`;
  validateAnswer(route, status, headers, text);
  if (method !== 'POST' || !operationOf(route)) return;
  const problems = requestProblems(route, withOneName(body));
  if (status === 200 && problems.length > 0)
    throw new Error(`${route} served an undocumented body:\n- ${problems.join('\n- ')}`);
  if (isPlain && problems.length === 0 && json?.code === 'INVALID_SCHEMA')
    throw new Error(`${route} called a documented body malformed: ${text}`);
}

/** Both names of a number with one value are taken as one (decision A4), which no schema can say. */
function withOneName(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('id_number' in body)) return body;
  const { id_number: number } = body;
  const isSame = (name: string, value: unknown) => name !== 'id_number' && value === number;
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !isSame(name, value)));
}
