import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Control } from '../../infra/local/control.ts';
import type { DemoCredentials } from '../../infra/local/demo-organisation.ts';
import type { ServiceDescription } from '../../infra/local/local-service.ts';
import { startLocalService } from '../../infra/local/local-service.ts';
import { remoteControl } from './remote-control.ts';

export interface TestService extends ServiceDescription {
  readonly credentials: DemoCredentials;
  readonly control: Control;
}

/**
 * Returns the service for a test file. If LOCAL_SERVICE_FILE is set, that file describes the service that the whole
 * test run shares. Otherwise, or if the test file sets OWN_SERVICE, a new service starts, and stops after the test
 * file. Call this function at the top of the test file.
 */
export async function localService(): Promise<TestService> {
  const file = process.env['LOCAL_SERVICE_FILE'];
  if (file && !process.env['OWN_SERVICE']) {
    const description = JSON.parse(readFileSync(file, 'utf8')) as ServiceDescription;
    return withCredentials({ ...description, control: remoteControl(description.controlUrl) });
  }
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-local-'));
  const assemblyDirectory = file && join(dirname(file), 'cdk.out');
  const service = await startLocalService({ workDirectory, assemblyDirectory });
  afterAll(async () => {
    await service.stop();
    rmSync(workDirectory, { recursive: true });
  });
  return withCredentials(service);
}

function withCredentials(service: ServiceDescription & { readonly control: Control }): TestService {
  if (!service.credentials) throw new Error('The local service was started without the demo organisation.');
  return { ...service, credentials: service.credentials };
}
