import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

/** The providers' published responses (test/fixtures/providers), and what test doubles may make of them. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const FOLDER = new URL('../../fixtures/providers/', import.meta.url);
const text = v.string();
const fixtureFile = v.object({
  provider: text,
  product: text,
  kind: v.picklist(['found', 'not-found', 'error']),
  method: v.picklist(['GET', 'POST']),
  path: text,
  request: v.looseObject({
    body: v.optional(v.record(text, v.unknown()), {}),
    query: v.optional(v.record(text, text), {}),
  }),
  status: v.number(),
  body: v.unknown(),
});

export interface ProviderFixture extends Omit<v.InferOutput<typeof fixtureFile>, 'body'> {
  /** As in the file name, for example `prembly/nin-basic.found`. */
  readonly name: string;
  readonly body: Json;
}

function readFixture(name: string): ProviderFixture {
  const parsed = v.parse(fixtureFile, JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')));
  // Other keys of the request fill the placeholders of the path.
  const path = parsed.path.replace(/\{(\w+)\}/g, (all, key) => String(parsed.request[key] ?? all));
  return { ...parsed, name, path, body: parsed.body as Json };
}

export const FIXTURES: readonly ProviderFixture[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => readFixture(file.replace(/\.json$/, '')));

/** The fixture with this name. Throws if there is none. */
export function fixtureNamed(name: string): ProviderFixture {
  const fixture = FIXTURES.find((one) => one.name === name);
  if (!fixture) throw new Error(`There is no fixture named "${name}" in test/fixtures/providers.`);
  return fixture;
}

/**
 * The body of a fixture with other values. `values` has the structure of the body, and contains only what changes. A
 * list replaces the fixture's list: each of its entries changes a copy of the fixture's first entry. Throws if
 * `values` contains a field that the fixture lacks, so that a test double cannot send one.
 */
export function bodyOf(name: string, values: Json = {}): Json {
  return withValues(fixtureNamed(name).body, values, name);
}

function withValues(original: Json, values: Json, place: string): Json {
  if (isList(original)) {
    const [first] = original;
    if (!isList(values)) throw new Error(`${place} is a list in the fixture.`);
    return values.map((value) => withValues(first ?? null, value, `${place}[]`));
  }
  if (!isObject(original)) {
    if (isList(values) || isObject(values)) throw new Error(`${place} is a single value in the fixture.`);
    return values;
  }
  if (!isObject(values)) throw new Error(`${place} is an object in the fixture.`);
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(original, key));
  if (unknown.length > 0)
    throw new Error(`The fixture has no field ${place}.${unknown.join(`, ${place}.`)}.`);
  const changed = Object.entries(values).map(([key, value]) => [
    key,
    withValues(original[key] ?? null, value, `${place}.${key}`),
  ]);
  return { ...original, ...Object.fromEntries(changed) };
}

/**
 * The paths of all single values in a body, such as `data.directors[].surname`. An empty object or list counts as a
 * single value.
 */
export function leafPaths(body: Json, path = ''): readonly string[] {
  if (isList(body) && body.length > 0)
    return [...new Set(body.flatMap((entry) => leafPaths(entry, `${path}[]`)))];
  if (isObject(body) && Object.keys(body).length > 0) {
    return Object.entries(body).flatMap(([key, value]) =>
      leafPaths(value, path === '' ? key : `${path}.${key}`),
    );
  }
  return [path];
}

/** Returns a copy of a body with a different value at a leaf path. In lists, only the first entry changes. */
export function withLeaf(body: Json, path: string, value: Json): Json {
  if (path === '') return value;
  if (isList(body)) return [withLeaf(body[0] ?? null, path.replace(/^\[\]\.?/, ''), value), ...body.slice(1)];
  if (!isObject(body)) throw new Error(`There is nothing at ${path}.`);
  const [key = ''] = /^[^.[]+/.exec(path) ?? [];
  const rest = path.slice(key.length).replace(/^\./, '');
  return { ...body, [key]: withLeaf(body[key] ?? null, rest, value) };
}

export function leafAt(body: Json, path: string): Json {
  if (path === '') return body;
  if (isList(body)) return leafAt(body[0] ?? null, path.replace(/^\[\]\.?/, ''));
  const [key = ''] = /^[^.[]+/.exec(path) ?? [];
  return leafAt(isObject(body) ? (body[key] ?? null) : null, path.slice(key.length).replace(/^\./, ''));
}

/** The fields of a body that no fixture of the provider has, for this product or for `any` product. */
export function undocumentedFields(provider: string, product: string, body: Json): readonly string[] {
  const documented = FIXTURES.filter(
    (fixture) => fixture.provider === provider && ['any', product].includes(fixture.product),
  ).flatMap((fixture) => leafPaths(fixture.body));
  if (documented.length === 0) throw new Error(`There is no fixture of ${provider} for ${product}.`);
  return leafPaths(body).filter(
    (path) => !documented.some((known) => known === path || known.startsWith(`${path}[`)),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}
