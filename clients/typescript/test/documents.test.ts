import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { CATALOGUE, ERROR_REASONS, RETRY_BY_REASON } from '../../../shared/core/errors.ts';
import { run } from '../../../test/support/programs.ts';
import { NUMBER_FORMATS } from '../src/checks.ts';
import { ruleOf } from '../src/rules.ts';

/** The client against the API document and the service's error catalogue. */

const PROJECT = join(import.meta.dirname, '../../..');
const CLIENT = join(import.meta.dirname, '../src/index.ts');

type Schema = Readonly<Record<string, unknown>>;

describe('the error codes', () => {
  const MOST_RETRIES = { no: [0], once: [0, 1], later: [1, Number.POSITIVE_INFINITY] };
  /** The catalogue describes one response. For these codes the client reports the charge of the call as a whole. */
  const CHARGED_BY_CALL: Readonly<Record<string, undefined>> = {
    REQUEST_IN_PROGRESS: undefined,
    REPLAY_EXHAUSTED: undefined,
  };

  test.each(Object.entries(CATALOGUE))('%s is handled as the catalogue says', (code, entry) => {
    const { retryable, mostRetries, charged } = ruleOf(599, code);
    expect(retryable).toBe(entry.retry !== 'no');
    expect(MOST_RETRIES[entry.retry]).toContain(mostRetries);
    expect(charged).toBe(code in CHARGED_BY_CALL || entry.charged === 'unknown' ? undefined : false);
  });

  test.each(Object.entries(RETRY_BY_REASON))('%s is handled by its reasons', (code, reasons) => {
    for (const [reason, retry] of Object.entries(reasons))
      expect(ruleOf(599, code, reason).retryable).toBe(retry !== 'no');
  });
});

test.each(Object.entries(NUMBER_FORMATS))(
  'the format of a %s is that of the document',
  (idType, [pattern]) => {
    const path = `/api/v1/ng/${idType.toLowerCase()}-basic/`;
    const body = schemaAt(path, 'requestBody');
    const patterns = JSON.stringify(body).match(/"pattern":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(patterns).toContain(`"pattern":${JSON.stringify(pattern.source)}`);
  },
);

describe('the types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The type of the client, and the schema of the document that it must equal. */
  const TYPES: readonly (readonly [type: string, schema: Schema])[] = [
    ['NinBasicRecord', dataOf('/api/v1/ng/nin-basic/')],
    ['NinPremiumRecord', dataOf('/api/v1/ng/nin-premium/')],
    ['BvnBasicRecord', dataOf('/api/v1/ng/bvn-basic/')],
    ['BvnPremiumRecord', dataOf('/api/v1/ng/bvn-premium/')],
    ['CacBasicRecord', dataOf('/api/v1/ng/cac-basic/')],
    ['CacPremiumRecord', dataOf('/api/v1/ng/cac-premium/')],
    ['TinBasicRecord', dataOf('/api/v1/ng/tin-basic/')],
    ['NubanBasicRecord', dataOf('/api/v1/ng/nuban-basic/')],
    ['Bank', itemsOf('/api/v1/banks/', 'banks')],
    ['Balance', dataOf('/api/v1/wallet/balance/')],
    ['Transaction', itemsOf('/api/v1/wallet/transactions/', 'transactions')],
    ['LogEntry', dataOf('/api/v1/verifications/{request_id}/')],
  ];

  test('are those of the document, and wrong calls do not compile', async () => {
    const comparisons = [
      ...TYPES.map(([type, schema]) => comparison(type, typeOf(schema))),
      comparison('ErrorCode', union(Object.keys(CATALOGUE))),
      comparison('ErrorReason', union(ERROR_REASONS)),
    ];
    const program = `import type * as client from '${CLIENT}';
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
${comparisons.join('\n')}
`;
    writeFileSync(join(folder, 'types.mts'), program);
    writeFileSync(join(folder, 'readme.mts'), readmeExamples());
    const compilerOptions = { typeRoots: [join(PROJECT, 'node_modules/@types')], noUnusedLocals: false };
    const wrongCalls = join(import.meta.dirname, 'wrong-calls.ts');
    const config = {
      extends: join(PROJECT, 'tsconfig.json'),
      compilerOptions,
      include: ['*.mts', wrongCalls],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, exclude: [] }));
    expect(await run(join(PROJECT, 'node_modules/.bin/tsc'), ['--project', folder])).toEqual({
      code: 0,
      output: '',
    });
  });

  function comparison(type: string, expected: string): string {
    return `export const ${type}: Equal<client.${type}, ${expected}> = true;`;
  }
});

/** The TypeScript examples of the README, each in a function of its own. */
function readmeExamples(): string {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(5);
  const imports = new Set(examples.flatMap((code) => code.match(/^import .*$/gm) ?? []));
  const functions = examples.map((code, index) => {
    const body = code.replace(/^import .*$\n/gm, '').replace(/^export /gm, '');
    const parameter = body.includes('const client =') ? '' : "client: import('ng-identity').IdentityClient";
    return `export async function example${index}(${parameter}) {\n${body}}`;
  });
  return [...imports, ...functions].join('\n').replaceAll("'ng-identity'", `'${CLIENT}'`);
}

function schemaAt(path: string, part: 'requestBody' | 'response'): Schema {
  const operation = at(document.paths, path, path.startsWith('/api/v1/ng/') ? 'post' : 'get');
  const place = part === 'requestBody' ? at(operation, 'requestBody') : at(operation, 'responses', '200');
  return at(resolved(place), 'content', 'application/json', 'schema');
}

function dataOf(path: string): Schema {
  return propertiesOf(schemaAt(path, 'response'))['data'] as Schema;
}

function itemsOf(path: string, field: string): Schema {
  return at(resolved(propertiesOf(dataOf(path))[field] as Schema), 'items');
}

function at(value: unknown, ...keys: readonly string[]): Schema {
  return keys.reduce((inner, key) => resolved(inner)[key] as Schema, value as Schema);
}

/** Follows a reference. */
function resolved(schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return resolved(at(document, ...reference.slice(2).split('/')));
}

function propertiesOf(schema: Schema): Schema {
  const { properties, allOf } = resolved(schema) as { properties?: Schema; allOf?: readonly Schema[] };
  return Object.assign({}, ...(allOf ?? []).map(propertiesOf), properties);
}

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ');

/** Writes a schema as a TypeScript type. */
function typeOf(given: Schema): string {
  const schema = resolved(given);
  const {
    const: constant,
    enum: values,
    anyOf,
    type,
    items,
    additionalProperties,
  } = schema as {
    const?: unknown;
    enum?: readonly unknown[];
    anyOf?: readonly Schema[];
    type?: string | readonly string[];
    items?: Schema;
    additionalProperties?: Schema | boolean;
  };
  if (constant !== undefined) return JSON.stringify(constant);
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (values) return union(values);
  if (items) return `(${typeOf(items)})[]`;
  if (type === 'integer') return 'number';
  if (type !== 'object' && type !== undefined) return String(type);
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties)}>`;
  const fields = Object.entries(propertiesOf(schema)).map(
    ([name, field]) => `${JSON.stringify(name)}: ${typeOf(field as Schema)}`,
  );
  return `{ ${fields.join('; ')} }`;
}
