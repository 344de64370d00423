import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { writeStage } from '../../support/write-stage.ts';
import { startPrimaryRegistry } from '../production-day/primary-registry.ts';
import { storeRegistryAccount } from '../production-day/service.ts';

/** The service in the local runtime, whose live keys are served by a test double for a provider. */
export interface BulkheadService {
  /** Looks up a new number with a live or a test key. Its last four digits select the outcome. */
  lookUp(env: 'live' | 'test', ending: string): Promise<LookUpResponse>;
  stop(): Promise<void>;
}

export interface LookUpResponse {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
  readonly latencyMs: number;
}

export interface BulkheadOptions {
  readonly bulkheads: 'on' | 'off';
  /** How long a number that ends in 0504 occupies a function. */
  readonly registryTimeoutMs: number;
}

const STAGE_APP = join(import.meta.dirname, 'stage-app.ts');
let numbers = 0;

export async function startBulkheadService(options: BulkheadOptions): Promise<BulkheadService> {
  const cleanup = new AsyncDisposableStack();
  try {
    const directory = mkdtempSync(join(tmpdir(), 'bulkheads-'));
    cleanup.defer(() => rmSync(directory, { recursive: true }));
    const { bulkheads, registryTimeoutMs } = options;
    writeStage(directory, STAGE_APP, { bulkheads, registryTimeoutMs: String(registryTimeoutMs) });
    const registry = await startPrimaryRegistry();
    cleanup.defer(registry.stop);
    const { baseUrl, credentials, adminAwsEnvironment, stop } = await startLocalService({
      projectDirectory: directory,
      workDirectory: join(directory, 'service'),
    });
    cleanup.defer(stop);
    await storeRegistryAccount(adminAwsEnvironment, registry.baseUrl);
    const url = `${baseUrl}/v1/ng/nin-basic`;
    return {
      async lookUp(env, ending) {
        numbers += 1;
        const startedMs = performance.now();
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${credentials?.[env].apiKey}`,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({ id_number: `4${String(numbers).padStart(6, '0')}${ending}` }),
        });
        const { code } = (await response.json()) as { code: string };
        const latencyMs = performance.now() - startedMs;
        return { status: response.status, code, retryAfter: response.headers.get('retry-after'), latencyMs };
      },
      stop: () => cleanup.disposeAsync(),
    };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}
