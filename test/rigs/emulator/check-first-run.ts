import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Deployment } from './check-deployment.ts';

/**
 * Runs `npm run first-real-run` with the stacks on the emulator, and the API and the operators' commands on the local
 * service. Every check that needs nothing else must pass.
 */
export async function checkFirstRun({ environment, first, say }: Deployment): Promise<void> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-first-run-'));
  const report = join(workDirectory, 'report.md');
  const service = await startLocalService({ workDirectory });
  try {
    const program = join(ROOT, 'clients/operator/first-real-run.ts');
    const url = new URL(service.baseUrl).origin;
    const cdk = `cdk --app ${first} --method=direct`;
    const args = ['--stage', 'prod', '--emulator', '--url', url, '--cdk', cdk, '--report', report];
    const env = { ...environment, LOCAL_SERVICE_FILE: join(workDirectory, 'service.json') };
    const { code, output } = await run(process.execPath, [program, ...args], { cwd: ROOT, env });
    const page = readFileSync(report, 'utf8');
    assert.equal(code, 0, `${output}\n${page}`);
    const [summary = ''] = page.split('\n\n## ');
    say(`the first real run: ${summary}`);
  } finally {
    await service.stop();
    rmSync(workDirectory, { recursive: true });
  }
}
