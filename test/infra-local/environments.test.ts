import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { run } from '../support/programs.ts';

/** The local runtime starts whatever the developer's machine is configured for. */

const directory = mkdtempSync(join(tmpdir(), 'identity-environment-'));
afterAll(() => rmSync(directory, { recursive: true }));
const home = join(directory, 'home');
mkdirSync(join(home, '.aws'), { recursive: true });
writeFileSync(
  join(home, '.aws/config'),
  '[default]\nuse_fips_endpoint = true\nuse_dualstack_endpoint = true\n',
);
// Nothing listens there.
const proxy = 'http://127.0.0.1:9';

/** Starts the fixture app with these variables. Returns its output. */
async function start(
  name: string,
  variables: NodeJS.ProcessEnv,
  dataDirectory: readonly string[] = [],
): Promise<string> {
  const program = fileURLToPath(new URL('start-local-service.ts', import.meta.url));
  // The runtime must start its own DynamoDB Local, because it waits for it with requests.
  const { DYNAMODB_ENDPOINT: _, no_proxy: _lower, NO_PROXY: _upper, ...environment } = process.env;
  const runtime = spawn(process.execPath, [program, join(directory, name), ...dataDirectory], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...variables },
  });
  let output = '';
  const ended = new Promise<void>((done) => runtime.once('close', () => done()));
  for (const stream of [runtime.stdout, runtime.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('started\n')) runtime.kill();
    });
  await ended;
  return output;
}

const AWS = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' };
const UPPER = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'example.com' };
const LOWER = { NODE_USE_ENV_PROXY: '1', http_proxy: proxy, no_proxy: 'example.com' };
// Each start takes seconds, so each tests a setting for AWS and one for a proxy.
test.each([
  ['AWS variables and a proxy', { ...AWS, ...UPPER }],
  ['an AWS profile and a proxy in lower case', { HOME: home, ...LOWER }],
])('with %s, the runtime starts', async (name, variables) => {
  expect(await start(name, variables)).toBe('started\n');
});

test('with paths outside ASCII and a locale without UTF-8, the runtime starts', async () => {
  const dataDirectory = join(directory, 'Prüfung é');
  expect(await start('locale', { LC_ALL: 'C' }, [dataDirectory])).toBe('started\n');
  expect(readdirSync(dataDirectory)).toContainEqual(expect.stringMatching(/\.db$/));
});

test('without its dependencies, `npm start` prints the command that installs all of them', async () => {
  copyFileSync('infra/local/start.mjs', join(directory, 'start.mjs'));
  const { code, output } = await run(process.execPath, [join(directory, 'start.mjs')]);
  expect(code).toBe(1);
  expect(output).toContain('Run `npm ci --include=dev --ignore-scripts=false`: ');
});
