import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Place, placeIn } from '../../clients/operator/deployment.ts';
import { type Operator, operator } from '../../clients/operator/operator.ts';
import { type CloudAssembly, readCloudAssembly, synthesize } from '../../infra/local/cloud-assembly.ts';
import { startDynamoDbLocal } from '../../infra/local/dynamodb-local.ts';
import { createTable, tablesOf } from '../../infra/local/tables.ts';
import { Deployment } from '../../infra/local/template.ts';

/** What one run of the real program left behind. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The operator's desk: the tables of the data stack in DynamoDB Local, and the program to work on them. */
export interface AdminDesk {
  readonly place: Place;
  /** The same in this process: for what a test needs and does not test. */
  readonly operator: Operator;
  /** Variables with which any AWS SDK finds these tables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file by which `--local` finds them. */
  readonly serviceFile: string;
  /** `admin --local <args>` */
  admin(...args: string[]): Promise<Run>;
  /** `admin --local --json <args>`: its parsed output. Throws where it did not end with 0. */
  json<T>(...args: string[]): Promise<T>;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../clients/operator/main.ts', import.meta.url));

/** Runs the program with these arguments and variables; stdin is empty and no terminal. */
export function runAdmin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', fail).once('close', (code) => done({ code, stdout, stderr }));
  });
}

/** What the test run has synthesized for its service; an assembly of its own where a test file runs alone. */
async function cloudAssembly(directory: string): Promise<CloudAssembly> {
  const described = process.env['LOCAL_SERVICE_FILE'];
  if (described) return readCloudAssembly(join(dirname(described), 'cdk.out'));
  return synthesize(ROOT, join(directory, 'cdk.out'));
}

export async function openDesk(): Promise<AdminDesk> {
  const directory = mkdtempSync(join(tmpdir(), 'admin-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const tables = tablesOf(new Deployment((await cloudAssembly(directory)).stacks));
  const nameOf = (part: string) => tables.find(({ name }) => name.includes(part))?.name ?? '';
  const environment = {
    API_KEYS_TABLE: nameOf('ApiKeys'),
    WALLETS_TABLE: nameOf('Wallets'),
    VERIFICATION_LOGS_TABLE: nameOf('VerificationLogs'),
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: database.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
  };
  const place = placeIn(environment);
  for (const table of tables) await createTable(place.client, table);
  const serviceFile = join(directory, 'service.json');
  writeFileSync(serviceFile, JSON.stringify({ adminAwsEnvironment: environment }));
  const variables = { LOCAL_SERVICE_FILE: serviceFile, NODE_COMPILE_CACHE: join(directory, 'compiled') };
  const admin = (...args: string[]) => runAdmin(['--local', ...args], variables);
  return {
    place,
    operator: operator(place),
    environment,
    serviceFile,
    admin,
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await admin('--json', ...args);
      if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async close() {
      place.client.destroy();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
