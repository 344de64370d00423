import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { outcomeOf } from './check.ts';
import { CLIENT_CHECKS } from './clients.ts';
import { LINTER_CHECKS } from './linters.ts';

/**
 * `npm run generators`: generates clients from docs/openapi.json in Go, Java and Python, which must compile and get a
 * record from a local service, compiles the code samples, and runs linters. Lists what it skipped, with the reason.
 * Exits with 1 if a check fails.
 */
const workDirectory = mkdtempSync(join(tmpdir(), 'identity-generators-'));
const { baseUrl, credentials, stop } = await startLocalService({ port: 0, workDirectory });
try {
  for (const [index, check] of [...LINTER_CHECKS, ...CLIENT_CHECKS].entries()) {
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
