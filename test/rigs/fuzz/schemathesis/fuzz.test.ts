import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const RUNNER = fileURLToPath(new URL('run.ts', import.meta.url));

test('no answer to a generated request is outside the API document', async () => {
  const run = promisify(execFile)(process.execPath, [RUNNER], { maxBuffer: 64 * 1024 * 1024 });
  const { stdout, ...rest } = await run.catch((failed: { readonly stdout: string }) => failed);
  const wasFailure = 'code' in rest;
  // What Schemathesis found, in its own words.
  if (wasFailure) throw new Error(`${stdout}\n${'stderr' in rest ? rest.stderr : ''}`);
  expect(stdout).toMatch(/No issues found/);
}, 400_000);
