import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { exampleRoute } from '../../infra/openapi/examples.ts';
import { documentText } from '../../infra/openapi/generate.ts';
import { FIELD_DESCRIPTIONS } from '../../infra/openapi/json-schemas.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import { responseProblems } from '../support/openapi-validation.ts';

const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly lang: string }[];
}
interface Response {
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}
const document = JSON.parse(committed) as {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
};

test('docs/openapi.json is what `npm run openapi` writes', () => {
  expect(documentText() === committed).toBe(true);
});

test('the document is at most 162 KB long without white space', () => {
  expect(JSON.stringify(JSON.parse(committed)).length).toBeLessThanOrEqual(162_000);
});

test('the Redocly linter reports no errors and no warnings', async () => {
  const program = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const lint = promisify(execFile)(
    process.execPath,
    [program, 'lint', 'docs/openapi.json', '--format=json'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((failure: { readonly stdout: string }) => failure);
  expect(JSON.parse((await lint).stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test('every example of an error matches the schema of its response', () => {
  const examples = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.values(content?.['application/json']?.examples ?? {}),
  );
  expect(examples.length).toBeGreaterThan(12);
  for (const { value } of examples) {
    const { code, verification_type: type } = value as { code: ErrorCode; verification_type: string };
    const route = exampleRoute(code);
    if (!route) throw new Error(`No route documents ${code}.`);
    const headers = { 'Content-Type': 'application/json' };
    const problems = responseProblems(route, CATALOGUE[code].status, headers, value);
    expect([type, problems.filter((problem) => !problem.startsWith('the header '))]).toEqual([type, []]);
  }
});

test('every operation that customers call has a command, and those that the description names have samples in all languages', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const languages = operations.map(({ operationId, 'x-codeSamples': samples }) => ({
    operationId,
    langs: samples.map(({ lang }) => lang),
  }));
  const without = languages.filter(({ langs }) => langs[0] !== 'Shell');
  expect(without).toEqual([
    { operationId: 'checkSlipDetails', langs: [] },
    { operationId: 'receivePaystackWebhook', langs: [] },
    { operationId: 'showPayment', langs: [] },
  ]);
  const inAll = languages.filter(({ langs }) => langs.length === 6).map(({ operationId }) => operationId);
  const [, named = ''] = /once for each form of request: ([^.]*)\./.exec(document.info.description) ?? [];
  expect(inAll.sort()).toEqual([...named.matchAll(/\w{4,}/g)].map(([name]) => name).sort());
});

test('every described field exists in a response schema', () => {
  const schemas = JSON.stringify(document.components.schemas);
  for (const field of Object.keys(FIELD_DESCRIPTIONS)) expect(schemas).toContain(`"${field}":{`);
});
