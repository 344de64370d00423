import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationRoute } from '../openapi/operations.ts';
import { type CodeSample, codeSamples } from '../openapi/samples.ts';
import { ROOT } from './pages.ts';

/** The parts of docs/openapi.json that the reference shows, or that the clients' types come from. */

export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly additionalProperties?: Schema | Reference | false;
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly oneOf?: readonly (Schema | Reference)[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly const?: string | number | boolean;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Example {
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: Schema | Reference;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema | Reference;
}

interface Header {
  readonly description: string;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly 'x-error-codes'?: readonly string[];
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation with its method and path. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function readDocument(): ApiDocument {
  return JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
}

/** Returns the routes in the order of the document. */
export function routesOf({ paths }: ApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/**
 * Returns the samples of a route in every language. The document itself contains them for only a few operations.
 */
export function samplesOf({ method, path, operation }: Route): readonly CodeSample[] {
  return codeSamples(operationRoute(operation.operationId), { method, path });
}

/** Returns the target of a reference, or the value itself. Throws if the document has no such component. */
export function resolve<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const component = document.components[kind]?.[name];
  if (component === undefined) throw new Error(`docs/openapi.json has no ${value.$ref}.`);
  return resolve(document, component as T | Reference);
}
