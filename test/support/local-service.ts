import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type Control, remoteControl } from '../../infra/local/control.ts';
import type { DemoCredentials } from '../../infra/local/demo-organisation.ts';
import type { ServiceDescription } from '../../infra/local/local-service.ts';
import { startLocalService } from '../../infra/local/local-service.ts';

export interface TestService extends ServiceDescription {
  readonly credentials: DemoCredentials;
  readonly control: Control;
}

/**
 * The running service for a test file: that of the whole test run where LOCAL_SERVICE_FILE names its description,
 * else one of its own, which ends after the file. Call it at the top of the file: `const service = await ...`.
 */
export async function localService(): Promise<TestService> {
  const file = process.env['LOCAL_SERVICE_FILE'];
  if (file) {
    const description = JSON.parse(readFileSync(file, 'utf8')) as ServiceDescription;
    return withCredentials({ ...description, control: remoteControl(description.controlUrl) });
  }
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-local-'));
  const service = await startLocalService({ workDirectory });
  afterAll(async () => {
    await service.stop();
    rmSync(workDirectory, { recursive: true });
  });
  return withCredentials(service);
}

function withCredentials(service: ServiceDescription & { readonly control: Control }): TestService {
  if (!service.credentials) throw new Error('The local service runs without its demo organisation.');
  return { ...service, credentials: service.credentials };
}
