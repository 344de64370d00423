import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * A real Chromium for tests: `$CHROMIUM`, the one in the package `@sparticuz/chromium`, or the system's browser. The
 * package comes first, so that runs on different machines use the same version.
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Starts the browser. If there is none, prints a message and returns undefined, so that the suite is skipped. If
 * `REQUIRE_BROWSER` is set, as in `.ci/run`, throws instead.
 */
export async function startBrowser(options: LaunchOptions = {}): Promise<Browser | undefined> {
  const program = await findBrowser();
  // Chromium's sandbox needs user namespaces, which containers often lack. The browser opens only this service's pages.
  if (program) return chromium.launch({ ...program, args: ['--no-sandbox'], ...options });
  const advice = 'Install Chromium, or set CHROMIUM to the path of its program.';
  if (process.env['REQUIRE_BROWSER']) throw new Error(`No browser was found. ${advice}`);
  process.stderr.write(`browser suite not run: no browser was found. ${advice}\n`);
  return undefined;
}

/**
 * Finds the browser, which unpacks the one from the package. Runs before the test files too, because one of them could
 * start the browser while another is still writing it, which fails (`ETXTBSY`).
 */
export async function findBrowser(): Promise<Program | undefined> {
  const named = process.env['CHROMIUM'];
  return named ? { executablePath: named } : ((await packagedChromium()) ?? systemChromium());
}

function systemChromium(): Program | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const executablePath = folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isExecutable);
  return executablePath === undefined ? undefined : { executablePath };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Program = Pick<LaunchOptions, 'executablePath' | 'env'>;

/** Returns the browser in the package, an optional dependency that npm does not install on every platform. */
async function packagedChromium(): Promise<Program | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const own = { ...process.env };
  try {
    // The package must detect Lambda to unpack the certificate libraries that a bare system lacks.
    process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
    const packaged = await import('@sparticuz/chromium').catch(() => undefined);
    if (!packaged) return undefined;
    return { executablePath: await packaged.default.executablePath(), env: { ...process.env } };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
  }
}
