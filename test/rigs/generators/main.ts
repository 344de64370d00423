import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { outcomeOf } from './check.ts';
import { CLIENT_CHECKS } from './clients.ts';
import { LINTER_CHECKS } from './linters.ts';
import { OPENAPI_GENERATOR_CHECKS } from './openapi-generator.ts';

/**
 * `npm run generators`: generates clients from docs/openapi.json, which must compile and get records from a local
 * service, compiles the code samples, and runs linters. Lists what it skipped, with the reason. With a word, such as
 * `npm run generators -- php`, runs only the checks whose names contain it. Exits with 1 if a check fails.
 */
const [word = ''] = process.argv.slice(2);
const checks = [...LINTER_CHECKS, ...CLIENT_CHECKS, ...OPENAPI_GENERATOR_CHECKS].filter(({ name }) =>
  name.toLowerCase().includes(word.toLowerCase()),
);
const workDirectory = mkdtempSync(join(tmpdir(), 'identity-generators-'));
const { baseUrl, credentials, stop } = await startLocalService({ port: 0, workDirectory });
try {
  for (const [index, check] of checks.entries()) {
    const directory = join(workDirectory, `check-${index}`);
    mkdirSync(directory);
    const outcome = await outcomeOf(check, { baseUrl, apiKey: credentials?.test.apiKey ?? '', directory });
    console.log(
      `${outcome.kind.padEnd(8)}${check.name}${outcome.kind === 'passed' ? '' : `: ${outcome.reason}`}`,
    );
    if (outcome.kind === 'failed') process.exitCode = 1;
  }
} finally {
  await stop();
  rmSync(workDirectory, { recursive: true, force: true });
}
