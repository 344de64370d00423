import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../../../infra/local/local-service.ts';
import { fuzzApi } from './run.ts';

/**
 * `npm run rig -- fuzz:api` runs Schemathesis against a local service, with a test key. `--max-examples 500` tries more
 * cases, and `--seed 7` tries different ones. All options of `schemathesis run` work. Exits with 0 if every response is
 * as documented.
 */
const workDirectory = mkdtempSync(join(tmpdir(), 'identity-fuzz-'));
const { baseUrl, credentials, stop } = await startLocalService({ port: 0, workDirectory });
try {
  const apiKey = credentials?.test.apiKey ?? '';
  const { isPassed, output } = await fuzzApi({ baseUrl, apiKey }, process.argv.slice(2));
  console.log(output);
  process.exitCode = isPassed ? 0 : 1;
} finally {
  await stop();
  rmSync(workDirectory, { recursive: true, force: true });
}
