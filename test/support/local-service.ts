import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type Control, remoteControl } from '../../infra/local/control.ts';
import { type ServiceDescription, startLocalService } from '../../infra/local/local-service.ts';

/**
 * The local service for a test file: the one that `npm test` started for all of them (LOCAL_SERVICE_FILE tells
 * where), else one of the file's own that ends with it.
 */
export async function localService(): Promise<ServiceDescription & { readonly control: Control }> {
  const file = process.env['LOCAL_SERVICE_FILE'];
  if (file) {
    const description = JSON.parse(readFileSync(file, 'utf8')) as ServiceDescription;
    return { ...description, control: remoteControl(description.controlUrl) };
  }
  const workDirectory = await mkdtemp(join(tmpdir(), 'identity-test-'));
  const service = await startLocalService({ port: 0, workDirectory });
  afterAll(() => service.stop());
  return service;
}
