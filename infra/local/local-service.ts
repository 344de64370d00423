import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { synthesize } from './cloud-assembly.ts';
import { type Control, startControlServer } from './control.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { buildInstanceProgram } from './function-fleet.ts';
import { FunctionLog } from './function-log.ts';
import { type RestHandler, startRestServer } from './rest-api.ts';
import { runDeployment } from './run-deployment.ts';
import { describeService, SERVICE_FILE, type ServiceDescription } from './service-description.ts';

/** The whole service on this machine, from the synthesized stacks; see main.ts for the command line. */

export interface LocalServiceOptions {
  /** Of the REST API; 0 takes any free port. */
  readonly port?: number;
  /** Keeps tables, secrets and the demo organisation there between runs. */
  readonly dataDirectory?: string;
  /** Processes that one function may have at once. @default 4, and four times as many behind a function URL */
  readonly instances?: number;
  /** For logs, credentials and what is built. @default `.local` in the project */
  readonly workDirectory?: string;
  /** Makes the demo organisation. @default true */
  readonly seed?: boolean;
  /** Variables for all functions, beside those of the template. */
  readonly functionsEnvironment?: Readonly<Record<string, string>>;
  /** The project whose `cdk.json` tells the app. @default this one */
  readonly projectDirectory?: string;
}

export interface LocalService extends ServiceDescription {
  readonly control: Control;
  /** Ends every process and closes every port. */
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEFAULT_INSTANCES = 4;

/** Starts the service; resolves once it answers. Whatever fails, nothing is left running. */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(options: LocalServiceOptions, cleanup: AsyncDisposableStack): Promise<LocalService> {
  const root = options.projectDirectory ?? ROOT;
  const workDirectory = resolve(options.workDirectory ?? join(root, '.local'));
  const dataDirectory = options.dataDirectory && resolve(options.dataDirectory);
  mkdirSync(workDirectory, { recursive: true });
  if (dataDirectory) mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });

  // First of all the port: who finds it taken should not wait for a synthesis.
  const handler = Promise.withResolvers<RestHandler>();
  handler.promise.catch(() => {});
  cleanup.defer(() => handler.reject(new Error('The service stopped.')));
  const rest = await startRestServer(options.port ?? 0, handler.promise);
  cleanup.defer(rest.close);

  const logFile = join(workDirectory, 'functions.log');
  rmSync(logFile, { force: true });
  const log = new FunctionLog(logFile);
  cleanup.defer(() => log.close());

  const entryFile = join(workDirectory, 'instance.mjs');
  // Each bundle lies in a directory named after its content: a synthesis leaves those of running functions alone.
  const synthesizeAgain = () => synthesize(root, join(workDirectory, 'cdk.out'));
  const [dynamoDb, assembly] = await allOf([
    startDynamoDbLocal({ dataDirectory, logFile: join(workDirectory, 'dynamodb.log') }).then((database) => {
      cleanup.defer(database.stop);
      return database;
    }),
    synthesizeAgain(),
    buildInstanceProgram(entryFile),
  ] as const);
  const secretsFile = dataDirectory && join(dataDirectory, 'secrets.json');
  const { functionsEnvironment = {}, instances = DEFAULT_INSTANCES } = options;
  const parts = {
    assembly,
    synthesizeAgain,
    dynamoDb,
    log,
    entryFile,
    secretsFile,
    instances,
    functionsEnvironment,
  };
  const { restHandler, control, adminAwsEnvironment, client } = await runDeployment(parts, cleanup);
  handler.resolve(restHandler);

  const controlServer = await startControlServer(control, randomBytes(16).toString('hex'));
  cleanup.defer(controlServer.close);
  const directories = { workDirectory, dataDirectory };
  const description = await describeService(
    { baseUrl: rest.url, controlUrl: controlServer.url, logFile, adminAwsEnvironment },
    directories,
    options.seed === false ? undefined : client,
  );
  cleanup.defer(() => rmSync(join(workDirectory, SERVICE_FILE), { force: true }));
  return { ...description, control, stop: () => cleanup.disposeAsync() };
}

/** Like `Promise.all`, but waits for all before it rejects, so that what did start is known to the clean-up. */
async function allOf<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(promises) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>;
}
