import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from './aws/dynamodb-local.ts';
import type { AwsCredentials } from './aws/principals.ts';
import { type Control, startControlServer } from './control.ts';
import { DEMO_MEMBERS, type DemoMember } from './demo-members.ts';
import {
  createBusyDemoOrganisation,
  createDemoOrganisation,
  type DemoCredentials,
  savedDemoOrganisation,
} from './demo-organisation.ts';
import { connectDemoWebhook } from './demo-webhook.ts';
import { documentation } from './documentation.ts';
import { buildInstanceProgram } from './functions/function-fleet.ts';
import { FunctionLog } from './functions/function-log.ts';
import { type RestHandler, type RestPorts, type RestServer, startRestServers } from './gateway/rest-api.ts';
import type { PerApi } from './gateway/rest-body.ts';
import { connectPayments } from './payments/connect-payments.ts';
import type { PaymentsDescription } from './payments.ts';
import { runDeployment } from './run-deployment.ts';
import { readCloudAssembly, synthesise } from './templates/cloud-assembly.ts';
import { type WebhookReceiver, webhookReceiver } from './webhook-receiver.ts';
import { claimWorkDirectory } from './work-directory.ts';

/** Starts the whole service on this machine from the synthesised stacks. main.ts is its command line. */

interface LocalServiceOptions extends RestPorts {
  /** Kept between runs. */
  readonly dataDirectory?: string;
  /** The maximum number of processes of each function. Functions behind a URL may have 4 times as many. @default 4 */
  readonly instances?: number;
  /** The names of functions that run only through the control API, not on their schedule. @default none */
  readonly withoutSchedule?: readonly string[];
  /**
   * For logs, credentials and build output. While another service uses it, a subdirectory.
   * @default `.local` in the project
   */
  readonly workDirectory?: string;
  /** Whether to create the demo organisation. @default true */
  readonly seed?: boolean;
  /** Whether a new demo organisation has traffic of the past weeks. @default false */
  readonly demoTraffic?: true;
  /** The project whose `cdk.json` names the app. @default this one */
  readonly projectDirectory?: string;
  /**
   * Contains the app, if another local service of this project has synthesised it. @default the app is synthesised
   */
  readonly assemblyDirectory?: string | undefined;
}

/** In `service.json`, for other processes. */
export interface ServiceDescription {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly logFile: string;
  /** Table names, and credentials without restrictions. */
  readonly adminAwsEnvironment: Readonly<Record<string, string>>;
  /** Absent if no function of the app takes payments. */
  readonly payments?: PaymentsDescription;
  readonly console?: ConsoleDescription;
  readonly operators?: OperatorsDescription;
  /** Absent without the demo organisation. */
  readonly credentials?: DemoCredentials;
}

export interface ConsoleDescription {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /** One file each, whose names sort by time. */
  readonly mailDirectory: string;
  /** They can sign in with one click. */
  readonly members: readonly Pick<DemoMember, 'email' | 'name' | 'role'>[];
}

interface OperatorsDescription {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /**
   * Of the person who started the service, with the policies of all operator roles. Valid for this API and the AWS
   * endpoint.
   */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string;
  };
}

export interface LocalService extends ServiceDescription {
  readonly control: Control;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEFAULT_INSTANCES = 4;

/** Resolves when it serves requests. If it fails to start, everything is stopped again. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(options: LocalServiceOptions, cleanup: AsyncDisposableStack): Promise<LocalService> {
  // A port in use is reported before the synthesis.
  const servers = await startRestServers(options, cleanup);
  const { api, console: consoleServer, operators } = servers;
  const restUrls = { api: api.url, console: consoleServer.url, operators: operators.url };
  const directories = await prepareDirectories(options, restUrls.api, cleanup);
  const { workDirectory, dataDirectory, mailDirectory } = directories;

  const logFile = join(workDirectory, 'functions.log');
  rmSync(logFile, { force: true });
  const log = new FunctionLog(logFile);
  cleanup.defer(() => log.close());

  const entryFile = join(workDirectory, 'instance.mjs');
  const root = options.projectDirectory ?? ROOT;
  // The name of a bundle's directory contains a hash of its content, so a later synthesis does not overwrite running
  // bundles.
  const synthesiseAgain = () => synthesise(root, join(workDirectory, 'cdk.out'));
  const [dynamoDb, assembly] = await allSettledOrThrow([
    startDynamoDbLocal({ dataDirectory, logFile: join(workDirectory, 'dynamodb.log') }).then((database) => {
      cleanup.defer(database.stop);
      return database;
    }),
    options.assemblyDirectory ? readCloudAssembly(options.assemblyDirectory) : synthesiseAgain(),
    buildInstanceProgram(entryFile),
  ] as const);
  const secretsFile = dataDirectory && join(dataDirectory, 'secrets.json');
  const bucketsFile = dataDirectory && join(dataDirectory, 'buckets.jsonl');
  const maxInstances = options.instances ?? DEFAULT_INSTANCES;
  const { withoutSchedule = [] } = options;
  const files = { entryFile, secretsFile, bucketsFile, mailDirectory };
  const { restHandlers, control, adminAwsEnvironment, client, operatorCredentials } = await runDeployment(
    { assembly, synthesiseAgain, dynamoDb, log, maxInstances, withoutSchedule, restUrls, ...files },
    cleanup,
  );
  const receiver = webhookReceiver();
  await serveApis(servers, restHandlers, { workDirectory, receiver }, cleanup);

  const seedClient = options.seed === false ? undefined : client;
  const addresses = {
    ...{ baseUrl: restUrls.api, logFile, adminAwsEnvironment },
    ...(restHandlers.console && { console: describeConsole(restUrls.console, mailDirectory) }),
    ...(restHandlers.operators && { operators: describeOperators(restUrls.operators, operatorCredentials) }),
  };
  const description = await describeService(
    { ...addresses, ...(await startControls(restUrls.api, control, adminAwsEnvironment, cleanup)) },
    { workDirectory, dataDirectory, seedClient, demoTraffic: options.demoTraffic, receiver, control },
  );
  cleanup.defer(() => rmSync(join(workDirectory, 'service.json'), { force: true }));
  return { ...description, control, stop: () => cleanup.disposeAsync() };
}

async function prepareDirectories(options: LocalServiceOptions, url: string, cleanup: AsyncDisposableStack) {
  const chosen = resolve(options.workDirectory ?? join(options.projectDirectory ?? ROOT, '.local'));
  const workDirectory = await claimWorkDirectory(chosen, url, cleanup);
  const dataDirectory = options.dataDirectory && resolve(options.dataDirectory);
  const mailDirectory = join(workDirectory, 'mail');
  if (dataDirectory) mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  // The links in emails of an earlier run work only if its tables are kept.
  else rmSync(mailDirectory, { recursive: true, force: true });
  return { workDirectory, dataDirectory, mailDirectory };
}

/** Releases the ports of the console and of the operators if the app has no such API. */
async function serveApis(
  servers: Required<PerApi<RestServer>>,
  handlers: PerApi<RestHandler>,
  { workDirectory, receiver }: { readonly workDirectory: string; readonly receiver: WebhookReceiver },
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const site = documentation(workDirectory);
  cleanup.defer(site.stop);
  servers.api.serve(receiver.before(site.before(handlers.api)));
  for (const name of ['console', 'operators'] as const) {
    const handler = handlers[name];
    if (handler) servers[name].serve(handler);
    else await servers[name].close();
  }
}

function describeOperators(url: string, credentials: AwsCredentials): OperatorsDescription {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = credentials;
  return { url, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}

function describeConsole(url: string, mailDirectory: string): ConsoleDescription {
  return {
    url,
    mailDirectory,
    members: DEMO_MEMBERS.map(({ email, name, role }) => ({ email, name, role })),
  };
}

async function startControls(
  baseUrl: string,
  control: Control,
  adminAwsEnvironment: Readonly<Record<string, string>>,
  cleanup: AsyncDisposableStack,
): Promise<Pick<ServiceDescription, 'controlUrl' | 'payments'>> {
  const controlServer = await startControlServer(control, randomBytes(16).toString('hex'));
  cleanup.defer(controlServer.close);
  const payments = await connectPayments(baseUrl, adminAwsEnvironment, cleanup);
  return { controlUrl: controlServer.url, ...(payments && { payments }) };
}

/** With `seedClient`, also creates the demo organisation and writes `credentials.json`. */
async function describeService(
  description: ServiceDescription,
  options: {
    readonly workDirectory: string;
    readonly dataDirectory: string | undefined;
    readonly seedClient: DynamoDBClient | undefined;
    readonly demoTraffic: true | undefined;
    readonly receiver: WebhookReceiver;
    readonly control: Control;
  },
): Promise<ServiceDescription> {
  const { workDirectory, dataDirectory, seedClient, demoTraffic, receiver, control } = options;
  const serviceFile = join(workDirectory, 'service.json');
  if (!seedClient) {
    writePrivate(serviceFile, description);
    return description;
  }
  // A key is shown only once, so the keys must be kept with the tables.
  const savedFile = dataDirectory && join(dataDirectory, 'credentials.json');
  const { adminAwsEnvironment: settings } = description;
  const saved = savedFile && (await savedDemoOrganisation(seedClient, settings, savedFile));
  const create = demoTraffic ? createBusyDemoOrganisation : createDemoOrganisation;
  const credentials = saved || (await create(seedClient, settings));
  // Otherwise, the pages would not show the traffic until the next full hour.
  if (demoTraffic && !saved) await control.runSchedule('roll-up-usage');
  if (savedFile) writePrivate(savedFile, credentials);
  await connectDemoWebhook(receiver, seedClient, credentials.organisation, description);
  const { baseUrl } = description;
  writePrivate(join(workDirectory, 'credentials.json'), { baseUrl, ...credentials });
  writePrivate(serviceFile, { ...description, credentials });
  return { ...description, credentials };
}

/** Only the user may read it. */
function writePrivate(file: string, content: unknown): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** Rejects only when all have settled, so that `cleanup` includes everything that was started. */
async function allSettledOrThrow<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(promises) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>;
}
