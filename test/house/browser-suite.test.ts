import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Checks what a run prints on a machine without a browser. A run looks for a browser in `$CHROMIUM`, on the PATH and in
 * a package.
 */

const ROOT = join(import.meta.dirname, '../..');
const WITHOUT_PACKAGE = JSON.stringify({ '^@sparticuz/chromium$': '<rootDir>/no-such-package.js' });

/** Runs a file whose tests all need a browser. */
function runWithoutBrowser(variables: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const args = [
    ...['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js')],
    ...['test/console/wallet-pages.test.ts', '--moduleNameMapper', WITHOUT_PACKAGE],
  ];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: ROOT, env: { PATH: '', ...variables } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test('without a browser, the run succeeds and says that the browser suite was not run', async () => {
  const { code, output } = await runWithoutBrowser({});
  expect(output).toContain('browser suite not run: no browser was found.');
  expect(output).toMatch(/Tests: +1 todo, 1 total/);
  expect(code).toBe(0);
});

test('without a browser, the run fails in CI, which requires one', async () => {
  const { code, output } = await runWithoutBrowser({ REQUIRE_BROWSER: '1' });
  expect(output).toContain('Test suite failed to run');
  expect(output).toContain('No browser was found.');
  expect(code).toBe(1);
});
