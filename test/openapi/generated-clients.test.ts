import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { mustRun, run } from '../support/programs.ts';
import { baseUrl, organisation } from '../support/service.ts';
import { samplesIn } from './samples.ts';

/**
 * Generates TypeScript clients from docs/openapi.json with openapi-typescript and hey-api, checks their types together
 * with the samples in the document, and sends their requests to the running service. `npm run generators` does the same
 * for other languages.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const directory = mkdtempSync(join(tmpdir(), 'generated-clients-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Calls that each client makes, and bodies that its types must reject. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './schema';
import { client } from './hey/client.gen';
import { verifyIdentity, verifyNinBasic } from './hey/sdk.gen';

const baseUrl = process.env['BASE_URL'] ?? '';
const headers = { Authorization: \`Bearer \${process.env['API_KEY']}\` };

const openapiFetch = createClient<paths>({ baseUrl, headers });
const path = '/api/v1/ng/nin-basic/';
const first = await openapiFetch.POST(path, { body: { id_number: '12345678901' } });
const missing = await openapiFetch.POST(path, { body: { id_number: '12345670404' } });

client.setConfig({ baseUrl, headers });
const second = await verifyNinBasic({ body: { id_number: '12345678901' } });
const third = await verifyIdentity({ body: { country: 'NG', id_type: 'CAC', params: { id_number: 'RC7000' } } });

const surnames = [first.data?.data, second.data?.data].map((data) =>
  data && 'lastname' in data ? data.lastname : undefined,
);
const company = third.data?.code === 'CAC_VERIFIED' ? third.data.data.companyName : undefined;
const { code, error } = missing.error ?? {};
console.log(JSON.stringify({ surnames, company, code, reason: error?.reason }));

export const rejected = [
  // @ts-expect-error: id_number is required.
  () => openapiFetch.POST(path, { body: {} }),
  // @ts-expect-error: id_number is required.
  () => verifyNinBasic({ body: {} }),
  // @ts-expect-error: the field is unknown.
  () => verifyNinBasic({ body: { id_number: '12345678901', idNumber: '12345678901' } }),
  // @ts-expect-error: the ID type is unknown.
  () => verifyIdentity({ body: { country: 'NG', id_type: 'nin', params: { id_number: '12345678901' } } }),
];
`;

const COMPILER_OPTIONS = {
  target: 'ES2023',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  paths: { 'ng-identity': [join(ROOT, 'clients/typescript/src/index.ts')] },
};

/** Runs a generator, which needs TypeScript 5. */
function generate(program: string, ...args: readonly string[]): Promise<string> {
  const hook = new URL('clients/typescript-5.ts', import.meta.url).href;
  const file = join(ROOT, 'node_modules', program);
  const env = { ...process.env, NODE_OPTIONS: `--import ${hook}` };
  return mustRun(process.execPath, [file, ...args], { cwd: directory, env });
}

beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  mkdirSync(join(directory, 'samples'));
  for (const { operation, source } of samplesIn('TypeScript'))
    writeFileSync(join(directory, 'samples', `${operation}.ts`), `${source}\nexport {};\n`);
  writeFileSync(join(directory, 'program.ts'), PROGRAM);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['program.ts', 'samples'] }),
  );
  await generate('openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'schema.d.ts');
  await generate('@hey-api/openapi-ts/bin/run.js', '-i', DOCUMENT, '-o', 'hey', '--silent');
});

test('the clients and the samples have no type errors', async () => {
  const { output } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory]);
  expect(output).toBe('');
});

test('the clients get records from the service, and errors with their codes', async () => {
  const { test: key } = await organisation({ credits: 10 });
  const outfile = join(directory, 'program.mjs');
  await build({
    entryPoints: [join(directory, 'program.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  const env = { ...process.env, BASE_URL: baseUrl, API_KEY: key };
  expect(JSON.parse(await mustRun(process.execPath, [outfile], { env }))).toEqual({
    surnames: ['ANUNOBI', 'ANUNOBI'],
    company: expect.stringMatching(/^[A-Z]/),
    code: 'NIN_NOT_FOUND',
    reason: 'no_record',
  });
});

describe('the samples', () => {
  test('exist for the same number of operations in each language except the shell, which has more', () => {
    const counts = ['Python', 'TypeScript', 'PHP', 'Go', 'Java'].map((lang) => samplesIn(lang).length);
    expect(new Set(counts).size).toBe(1);
    expect(samplesIn('Shell').length).toBeGreaterThan(counts[0] ?? Infinity);
  });

  test('in Python and in the shell have valid syntax', async () => {
    for (const { source } of samplesIn('Shell')) await mustRun('bash', ['-n', '-c', source]);
    const sources = JSON.stringify(samplesIn('Python').map(({ source }) => source));
    const compiled =
      'import json, sys\nfor source in json.loads(sys.argv[1]): compile(source, "sample", "exec")';
    await mustRun('python3', ['-c', compiled, sources]);
  });

  test('in Python call methods that our client has', () => {
    const client = readFileSync(join(ROOT, 'clients/python/src/ng_identity/_client.py'), 'utf8');
    for (const { source } of samplesIn('Python')) {
      const [, method] = /client\.([a-z_]+)\(/.exec(source) ?? [];
      expect(client).toContain(`def ${method}(`);
    }
  });
});
