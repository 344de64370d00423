import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './project.ts';

const lines = (count: number) => 'call();\n'.repeat(count);

/** A file that breaks a rule of the code, for each rule that Biome checks. */
const BROKEN: Readonly<Record<string, readonly [path: string, text: string]>> = {
  noBarrelFile: ['shared/core/barrel.ts', "export { one } from './one.ts';"],
  noExcessiveLinesPerFile: ['clients/console/src/pages/large.tsx', lines(401)],
  noExcessiveLinesPerFunction: ['infra/stacks/long.ts', `export function long() {\n${lines(62)}}`],
  noExportedImports: ['shared/core/passed-on.ts', "import { one } from './one.ts';\nexport { one };"],
  noImportCycles: ['shared/core/cycle.ts', "import type { One } from './second.ts';"],
  noProcessEnv: ['functions/environment.ts', "export const stage = process.env['STAGE'];"],
  noReExportAll: ['shared/core/all.ts', "export * from './one.ts';"],
  noRestrictedImports: ['clients/operator/process.ts', "import { env } from 'node:process';"],
  useFilenamingConvention: ['shared/core/apiKey.ts', 'export const one = 1;'],
};

test('Biome reports a file that breaks a rule, for each of its rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'broken-'));
  try {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    };
    const { vcs: _, ...config } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
    write('biome.json', JSON.stringify(config));
    write('shared/core/second.ts', "import type { Two } from './cycle.ts';\nexport type One = Two;");
    for (const [path, text] of Object.values(BROKEN)) write(path, text);
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const options = ['lint', '--max-diagnostics=none', '--reporter=github', '.'];
    const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: directory, encoding: 'utf8' });
    for (const [rule, [path]] of Object.entries(BROKEN))
      expect(stdout).toMatch(new RegExp(`^::error title=lint/\\w+/${rule},file=[^,]*${path},`, 'm'));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
