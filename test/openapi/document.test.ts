import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { readExamples } from '../../infra/openapi/examples.ts';
import { documentText } from '../../infra/openapi/generate.ts';
import { FIELD_DESCRIPTIONS } from '../../infra/openapi/json-schemas.ts';
import { responseProblems } from '../support/openapi-validation.ts';

const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');

interface Example {
  readonly value: { readonly code: string };
}
interface Content {
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Response {
  readonly content: Readonly<Record<string, Content>>;
}
const document = JSON.parse(committed) as {
  readonly components: {
    readonly examples: Readonly<Record<string, Example>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
};

test('docs/openapi.json is what `npm run openapi` writes', () => {
  expect(documentText() === committed).toBe(true);
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

test('the document contains every captured example', () => {
  for (const name of Object.keys(readExamples())) expect(committed).toContain(`"${name}"`);
});

test('every example of a failure matches the schema of its response', () => {
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const [route, status] = [name.slice(0, name.lastIndexOf('.')), Number(name.split('.').at(-1))];
    for (const example of Object.keys(content['application/json']?.examples ?? {})) {
      const value = document.components.examples[example]?.value;
      const problems = responseProblems(
        routeOf(route),
        status,
        { 'Content-Type': 'application/json' },
        value,
      );
      expect(problems.filter((problem) => !problem.startsWith('the header '))).toEqual([]);
    }
  }
});

/** Returns one route of a group of routes with the same responses. */
function routeOf(group: string) {
  const routes = { gateway: 'verify-identity', account: 'wallet-balance', public: 'health' } as const;
  if (group in routes) return routes[group as keyof typeof routes];
  return (/^[A-Z]+$/.test(group) ? `${group.toLowerCase()}-basic` : group) as 'nin-basic';
}

test('every described field exists in a response schema', () => {
  const schemas = JSON.stringify(document.components.schemas);
  for (const field of Object.keys(FIELD_DESCRIPTIONS)) expect(schemas).toContain(`"${field}":{`);
});
