import { Command, InvalidArgumentError } from 'commander';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import { printable } from '../../shared/core/printable-text.ts';
import { ignoreClosedPipes } from './closed-pipe.ts';
import { runProgram } from './run-program.ts';
import { type Check, smokeChecks } from './smoke-checks.ts';

/** The `smoke` CLI, started with `npm run smoke -- --url https://api.example.com`. See docs/operate/delivery.md. */

const KEY_VARIABLE = 'SMOKE_API_KEY';

const DESCRIPTION = `Send a few requests to a deployed stage and check the responses.

The environment variable ${KEY_VARIABLE} must contain a test key of an organisation
with test credits. Each run costs one credit. Nothing else may use test keys of
the organisation during the run, because the test compares balances.`;

const EXIT_CODES = `
Exit codes:
  0  every check passed
  1  the command line or the key is wrong, or a check failed`;

const program = new Command('smoke')
  .description(DESCRIPTION)
  .requiredOption('--url <url>', 'the address of the API, for example https://api.example.com', parseUrl)
  .addHelpText('after', EXIT_CODES)
  .action(async ({ url }: { url: string }) => smoke(url, readTestKey()));

async function smoke(url: string, apiKey: string): Promise<void> {
  const checks = smokeChecks({ url, apiKey });
  let failures = 0;
  for (const check of checks) {
    const problem = await problemOf(check);
    if (problem !== undefined) failures += 1;
    process.stdout.write(
      problem === undefined ? `ok      ${check.name}\n` : `FAILED  ${check.name}: ${printable(problem)}\n`,
    );
  }
  process.stdout.write(`${checks.length - failures} of ${checks.length} checks passed\n`);
  if (failures > 0) process.exitCode = 1;
}

async function problemOf({ run }: Check): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  }
}

/** Plain HTTP would send the key unencrypted, so it is permitted only to this machine. */
function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal))
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  throw new InvalidArgumentError('Use an https address, for example https://api.example.com.');
}

function readTestKey(): string {
  const text = process.env[KEY_VARIABLE];
  if (!text) throw new Error(`${KEY_VARIABLE} is not set. Set it to a test key of the stage.`);
  const key = readApiKeyText(text);
  if (key?.env === 'test') return text;
  throw new Error(
    key
      ? `${KEY_VARIABLE} is a live key, and each run would be charged. Use a test key.`
      : `${KEY_VARIABLE} is not a valid API key: its format or checksum is wrong. Copy the whole key, without quotes or spaces.`,
  );
}

ignoreClosedPipes();
await runProgram(program, process.argv.slice(2));
