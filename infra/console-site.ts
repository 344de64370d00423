import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The directory of the pages in the bundle of the function that serves them. */
const SITE_DIRECTORY = 'site';

const BUILD = pathToFileURL(join(import.meta.dirname, '../clients/console/build.ts')).href;

/**
 * Builds the pages of the console into the bundle of the function that serves them. The synthesis is synchronous and
 * the build is not, so the build runs in a separate process.
 */
export function addConsoleSite(bundleDirectory: string): void {
  const directory = JSON.stringify(join(bundleDirectory, SITE_DIRECTORY));
  const script = `import { buildConsole } from ${JSON.stringify(BUILD)}; await buildConsole(${directory});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
