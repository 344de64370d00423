import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { documentText, readExamples } from '../../infra/openapi/generate.ts';
import { FIELD_NOTES } from '../../infra/openapi/json-schemas.ts';
import { answerProblems } from '../support/openapi-validation.ts';

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

test('a maintained linter finds nothing', async () => {
  const program = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const lint = promisify(execFile)(
    process.execPath,
    [program, 'lint', 'docs/openapi.json', '--format=json'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((refused: { readonly stdout: string }) => refused);
  expect(JSON.parse((await lint).stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test('every captured example is shown', () => {
  for (const name of Object.keys(readExamples())) expect(committed).toContain(`"${name}"`);
});

test('every failure example fits the response that shows it', () => {
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const [route, status] = [name.slice(0, name.lastIndexOf('.')), Number(name.split('.').at(-1))];
    for (const example of Object.keys(content['application/json']?.examples ?? {})) {
      const value = document.components.examples[example]?.value;
      const problems = answerProblems(routeOf(route), status, { 'Content-Type': 'application/json' }, value);
      expect(problems.filter((problem) => !problem.startsWith('the header '))).toEqual([]);
    }
  }
});

/** A route of a group of routes that answer alike. */
function routeOf(group: string) {
  const routes = { gateway: 'verify-identity', account: 'wallet-balance', public: 'health' } as const;
  if (group in routes) return routes[group as keyof typeof routes];
  return (/^[A-Z]+$/.test(group) ? `${group.toLowerCase()}-basic` : group) as 'nin-basic';
}

test('every field that has a note is a field of some answer', () => {
  const schemas = JSON.stringify(document.components.schemas);
  for (const field of Object.keys(FIELD_NOTES)) expect(schemas).toContain(`"${field}":{`);
});
