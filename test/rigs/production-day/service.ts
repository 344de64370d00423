import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { FUNCTION_SOURCES } from '../../../infra/function-sources.ts';
import { type LocalService, startLocalService } from '../../../infra/local/local-service.ts';
import type { Deployment } from '../../../shared/operators/deployment.ts';
import { type Operator, operator } from '../../../shared/operators/operator.ts';
import { runAdmin } from '../../operator/run-admin.ts';
import { deploymentFrom } from '../../support/deployment-from.ts';
import { DOJAH_KEYS } from '../../support/registries/dojah-double.ts';
import { writeStage } from '../../support/write-stage.ts';
import { type PrimaryRegistry, startPrimaryRegistry } from './primary-registry.ts';

/** The simulated service, as `npm start` runs it, and everything that acts on it from outside. */
export interface SimulatedService extends Pick<LocalService, 'baseUrl' | 'control' | 'logFile'> {
  readonly deployment: Deployment;
  readonly operator: Operator;
  readonly registry: PrimaryRegistry;
  /** Runs the operator's CLI. Returns its output. Throws if its exit code is not 0. */
  admin(...args: string[]): Promise<string>;
  /** Changes the stage's settings to those of a release, and deploys them to the running service. */
  deploy(release: string): Promise<void>;
  stop(): Promise<void>;
}

const STAGE_APP = join(import.meta.dirname, 'stage-app.ts');

/** Starts the service with release 1. Its files are written to `directory`. */
export async function startSimulatedService(directory: string): Promise<SimulatedService> {
  mkdirSync(directory, { recursive: true });
  const bundles = join(directory, 'bundles');
  bundle(FUNCTION_SOURCES, bundles);
  const setRelease = (release: string) => writeStage(directory, STAGE_APP, { release, bundles });
  setRelease('1');
  const cleanup = new AsyncDisposableStack();
  try {
    const registry = await startPrimaryRegistry();
    cleanup.defer(registry.stop);
    const workDirectory = join(directory, 'service');
    const service = await startLocalService({ projectDirectory: directory, workDirectory });
    cleanup.defer(service.stop);
    const { baseUrl, control, logFile, adminAwsEnvironment } = service;
    await storeRegistryAccount(adminAwsEnvironment, registry.baseUrl);
    const deployment = deploymentFrom(adminAwsEnvironment);
    cleanup.defer(() => deployment.client.destroy());
    const variables = { LOCAL_SERVICE_FILE: join(workDirectory, 'service.json') };
    return {
      baseUrl,
      control,
      logFile,
      deployment,
      registry,
      operator: operator(deployment),
      async admin(...args) {
        const { code, stdout, stderr } = await runAdmin(['--local', '--yes', ...args], variables);
        if (code !== 0)
          throw new Error(`admin ${args[0]} ${args[1]} exited with ${code}: ${stdout}${stderr}`);
        return stdout;
      },
      async deploy(release) {
        setRelease(release);
        await control.deploy();
      },
      stop: () => cleanup.disposeAsync(),
    };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

/** Stores the credentials of the primary provider in its secret, as an operator does (docs/operate/registries.md). */
export async function storeRegistryAccount(
  environment: Readonly<Record<string, string>>,
  baseUrl: string,
): Promise<void> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = '' } = environment;
  const client = new SecretsManagerClient({
    region: AWS_REGION,
    endpoint: environment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '',
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
  const SecretString = JSON.stringify({ ...DOJAH_KEYS, baseUrl });
  await client.send(new PutSecretValueCommand({ SecretId: environment['DOJAH_SECRET'] ?? '', SecretString }));
  client.destroy();
}
