import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

/** infra/bundle/start.mjs, the file that Lambda loads in each function. */

const directory = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(directory, { recursive: true }));

function firstResult(name: string, bundle: string): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  const start = join(folder, 'start.mjs');
  copyFileSync('infra/bundle/start.mjs', start);
  writeFileSync(join(folder, 'index.cjs'), bundle);
  const code = `const { handler } = await import(${JSON.stringify(start)}); console.log(await handler());`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim();
}

test('a function receives its first request after its warm-up has ended', () => {
  const bundle = `
    let isWarm = false;
    exports.warm = () => new Promise((resolve) => setTimeout(resolve, 50)).then(() => { isWarm = true; });
    exports.handler = async () => isWarm;`;
  expect(firstResult('warm', bundle)).toBe('true');
});

test('a function without a warm-up receives requests at once', () => {
  expect(firstResult('cold', "exports.handler = async () => 'served';")).toBe('served');
});
