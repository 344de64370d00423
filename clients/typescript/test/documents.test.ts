import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { typescriptModels } from '../../../infra/openapi/typescript-models.ts';
import { readDocument } from '../../../infra/site/document.ts';
import { CATALOGUE, ERROR_REASONS, RETRY_BY_REASON } from '../../../shared/core/errors.ts';
import { run } from '../../../test/support/programs.ts';
import { NUMBER_FORMATS } from '../src/checks.ts';
import { ruleOf } from '../src/rules.ts';
import { clientOf, NUMBER } from './fake-fetch.ts';
import { readmeExamples } from './readme-examples.ts';

/** Compares the client with the API document and the service's error catalogue. */

const PROJECT = join(import.meta.dirname, '../../..');
const CLIENT = join(import.meta.dirname, '../src/index.ts');

const TOP_UP = 'TOPUP-01KF0ZB7M0EXAMP1E00000000V';

type Schema = Readonly<Record<string, unknown>>;
const schemas: Readonly<Record<string, Schema>> = document.components.schemas;

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

  test.each(Object.entries(RETRY_BY_REASON))('%s is retryable depending on its reason', (code, reasons) => {
    for (const [reason, retry] of Object.entries(reasons))
      expect(ruleOf(599, code, reason).retryable).toBe(retry !== 'no');
  });
});

test.each(Object.entries(NUMBER_FORMATS))('the format of a %s matches the document', (idType, [pattern]) => {
  const request = schemas[`${idType[0]}${idType.slice(1).toLowerCase()}Request`] ?? {};
  const { id_number: number } = request['properties'] as Record<string, Schema>;
  expect(number?.['pattern']).toBe(pattern.source);
});

test('the models are those that npm run openapi writes', () => {
  const committed = readFileSync(join(CLIENT, '../models.ts'), 'utf8');
  expect(committed).toBe(typescriptModels(readDocument()));
});

describe('the types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('of errors match the catalogue, and wrong calls do not compile', async () => {
    const comparisons = [
      comparison('ErrorCode', union(Object.keys(CATALOGUE))),
      comparison('ErrorReason', union(ERROR_REASONS)),
    ];
    const program = `import type * as client from '${CLIENT}';
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
${comparisons.join('\n')}
`;
    writeFileSync(join(folder, 'types.mts'), program);
    for (const [index, code] of [...readmeExamples(), ...documentExamples()].entries())
      writeFileSync(join(folder, `example-${index}.mts`), withSources(code));
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

  function withSources(code: string): string {
    return code
      .replaceAll("'ng-identity'", `'${CLIENT}'`)
      .replaceAll("'ng-identity/testing'", `'${join(CLIENT, '../testing.ts')}'`);
  }

  function comparison(type: string, expected: string): string {
    return `export const ${type}: Equal<client.${type}, ${expected}> = true;`;
  }
});

test('the client has a call for every route that needs a key', async () => {
  const { client, requests } = clientOf(() => new Response('', { status: 401 }));
  await Promise.allSettled([
    ...(['NIN', 'BVN', 'CAC'] as const).flatMap((idType) => {
      const number = idType === 'CAC' ? 'RC7000' : NUMBER;
      return [client.verify(idType, number), client.verify(idType, number, { advance: true })];
    }),
    client.verify('TIN', '1234567890'),
    client.verify('NUBAN', '0123456789'),
    client.verifyGateway('NIN', NUMBER),
    client.downloadSlip(NUMBER, 'premium'),
    client.revokeSlip('req_0123456789ab'),
    client.me(),
    client.banks(),
    client.balance(),
    client.transactions().next(),
    client.verifications().next(),
    client.verification('req_0123456789ab'),
    client.lots().next(),
    client.invoices().next(),
    client.invoice('IDV-2026-000041'),
    client.startTopUp(1000),
    client.topUp(TOP_UP),
  ]);
  const called = requests.map(({ url }) =>
    new URL(url).pathname
      .replace('req_0123456789ab', '{request_id}')
      .replace('IDV-2026-000041', '{number}')
      .replace(TOP_UP, '{reference}'),
  );
  const keyed = Object.entries(document.paths).filter(([, operations]) =>
    Object.values(operations).every(
      (operation) => !('security' in operation && operation.security.length === 0),
    ),
  );
  expect(called.sort()).toEqual(keyed.map(([path]) => path).sort());
});

function documentExamples(): string[] {
  const examples = Object.values<Schema>(document.paths)
    .flatMap((operations) => Object.values(operations) as Schema[])
    .flatMap((operation) => (operation['x-codeSamples'] ?? []) as { lang: string; source: string }[])
    .flatMap(({ lang, source }) => (lang === 'TypeScript' ? [`${source}\n`] : []));
  expect(examples.length).toBeGreaterThan(10);
  return examples;
}

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ');
