import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import type { AwsCredentials } from '../../infra/local/aws/principals.ts';
import { createTable, tablesOf } from '../../infra/local/aws/tables.ts';
import {
  type CloudAssembly,
  readCloudAssembly,
  synthesise,
} from '../../infra/local/templates/cloud-assembly.ts';
import { Deployment as LocalStacks } from '../../infra/local/templates/template.ts';
import type { Deployment } from '../../shared/operators/deployment.ts';
import { type Operator, operator } from '../../shared/operators/operator.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import { SETTINGS } from '../unit/payments/memory-payments.ts';
import { startUnrestrictedOperators } from './operator-functions.ts';
import { type Run, runAdmin } from './run-admin.ts';
import { runInProcess } from './run-in-process.ts';

export interface TestDeployment extends Deployment {
  /** Runs the operations in this process, for test data that is not itself under test. */
  readonly operator: Operator;
  readonly environment: Readonly<Record<string, string>>;
  configure(more: Readonly<Record<string, string>>): void;
  readonly operatorsUrl: string;
  /** Returns the credentials of a person who may make every change. */
  credentialsOf(arn: string): AwsCredentials;
  /** The path of the file that `--local` reads, which describes the local service. */
  readonly serviceFile: string;
  /** Runs `admin --local <args>` in this process. Throws if another command is still running in it. */
  admin(...args: string[]): Promise<Run>;
  /** Runs `admin --local <args>` in its own process. This takes a second of processor time. */
  spawnAdmin(...args: string[]): Promise<Run>;
  /** Runs `admin --local --json <args>` and returns its parsed output. Throws if the exit code is not 0. */
  json<T>(...args: string[]): Promise<T>;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CONSOLE_URL = 'http://127.0.0.1:3001';

/** Returns the cloud assembly of the running test service, or a new one if the test file runs without the service. */
async function cloudAssembly(directory: string): Promise<CloudAssembly> {
  const described = process.env['LOCAL_SERVICE_FILE'];
  if (described) return readCloudAssembly(join(dirname(described), 'cdk.out'));
  return synthesise(ROOT, join(directory, 'cdk.out'));
}

export async function startTestDeployment(): Promise<TestDeployment> {
  const directory = mkdtempSync(join(tmpdir(), 'admin-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const tables = tablesOf(new LocalStacks((await cloudAssembly(directory)).stacks));
  const nameOf = (table: string) => tables.find(({ name }) => name.includes(table))?.name ?? '';
  const environment = {
    API_KEYS_TABLE: nameOf('ApiKeys'),
    WALLETS_TABLE: nameOf('Wallets'),
    VERIFICATION_LOGS_TABLE: nameOf('VerificationLogs'),
    AUDIT_TRAIL_TABLE: nameOf('AuditTrail'),
    APPROVALS_TABLE: nameOf('Approvals'),
    PAYMENTS_TABLE: nameOf('Payments'),
    CONSOLE_TABLE: nameOf('Console'),
    MONEY: JSON.stringify(SETTINGS),
    LOW_BALANCE_CREDITS: '1',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: database.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
  };
  const deployment = deploymentFrom(environment);
  for (const table of tables) await createTable(deployment.client, table);
  const functions = await startUnrestrictedOperators(environment, CONSOLE_URL);
  const { credentialsOf, configure } = functions;
  const serviceFile = join(directory, 'service.json');
  writeFileSync(serviceFile, JSON.stringify(functions.description));
  const variables = { LOCAL_SERVICE_FILE: serviceFile };
  const admin = (...args: string[]) => runInProcess(['--local', ...args], { environment: variables });
  return {
    ...deployment,
    operator: operator(deployment),
    environment,
    configure,
    operatorsUrl: functions.url,
    credentialsOf,
    serviceFile,
    admin,
    spawnAdmin: (...args) => runAdmin(['--local', ...args], variables),
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await admin('--json', ...args);
      if (code !== 0) throw new Error(`admin ${args.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async close() {
      await functions.close();
      deployment.client.destroy();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
