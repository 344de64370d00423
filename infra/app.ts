import { join } from 'node:path';
import { Annotations, App, type AppProps, RemovalPolicies, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnUserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { bundle } from './bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { CONSOLE_SITE } from './console-routes.ts';
import { addConsoleSite } from './console-site.ts';
import { FUNCTION_SOURCES } from './function-sources.ts';
import { addSlipTheme } from './slip-theme.ts';
import { AccessStack } from './stacks/access-stack.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { BackupStack, BackupVaultStack } from './stacks/backup-stacks.ts';
import { ConsoleStack, type ConsoleStackProps } from './stacks/console-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DeliveryStack } from './stacks/delivery-stack.ts';
import { FunctionsStack } from './stacks/functions-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { OperatorsStack } from './stacks/operators-stack.ts';
import { ProbeStack } from './stacks/probe-stack.ts';
import { WebhookStack } from './stacks/webhook-stack.ts';
import { checkConfig } from './stages/check-config.ts';
import { contactReminder } from './stages/contact-reminder.ts';
import { overlapReminders } from './stages/overlap-reminders.ts';
import { stackEnvironment, stageFile } from './stages/pin.ts';
import { readConfig, readFlag } from './stages/read-config.ts';

interface AppOptions extends AppProps {
  /** Settings that replace those of the stage. @default none */
  readonly changes?: Partial<StageConfig>;
  /** The directory of each function's bundle, by the function's name. @default bundles all functions */
  readonly bundles?: ReadonlyMap<string, string>;
  /** Decides which reminders are due. @default the current time */
  readonly now?: Date;
}

/**
 * Returns the app of one stage. Every stage has a data stack, a stack of functions, an API stack, an operators stack and an access stack. On
 * AWS, it also has an operations stack. The setting `console` adds a webhook stack and a console stack, and `operations.delivery` adds a
 * delivery stack. `-c backupVault=true` returns
 * only the vault of its backups. Context: `stage` (default dev), `publicBaseUrl`, `deployNow`, `backupVault`. Throws if a setting is invalid, or if
 * the CDK CLI has credentials for an account other than the stage's.
 */
export function buildApp({ changes, bundles: given, now = new Date(), ...props }: AppOptions = {}): App {
  const app = new App(props);
  const config = readConfig(app.node, changes);
  checkConfig(config);
  if (readFlag(app.node, 'backupVault')) return addBackupVault(app, config);
  const env = stackEnvironment(config, process.env);
  const bundles = given ?? bundleFunctions(config, app.outdir);
  for (const name of ['nin-slip', 'console-send-test-request']) {
    const slipBundle = bundles.get(name);
    if (config.slipTheme && slipBundle) addSlipTheme(slipBundle, config.slipTheme);
  }

  const tags = { service: 'identity-verification', stage: config.stage };

  const { restoredTables, warmThroughput, auditArchive, customerManagedKey, secondPerson } = config;
  const data = new DataStack(app, `identity-${config.stage}-data`, {
    env,
    tags,
    restoredTables,
    warmThroughput,
    auditArchive,
    customerManagedKey,
    secondPerson,
    logRetentionDays: config.verificationLogRetentionDays,
    money: config.money,
    mailFrom: config.console?.mailFrom,
  });
  // Log groups and queries of the API begin with the name of its stack, so this name does too.
  const functions = new FunctionsStack(app, `identity-${config.stage}-api-functions`, {
    env,
    tags,
    config,
    data,
    bundles,
    deployNow: readFlag(app.node, 'deployNow'),
  });
  const api = new ApiStack(app, `identity-${config.stage}-api`, { env, tags, config, data, bundles });
  api.addStackDependency(functions);
  const { sandbox } = functions;
  const console = addConsole(app, config, { env, tags, data, bundles, api, sandbox });
  const operators = new OperatorsStack(app, `identity-${config.stage}-operators`, {
    env,
    tags,
    config,
    data,
    bundles,
  });
  // It sets the role that writes access logs.
  operators.addStackDependency(api);
  new AccessStack(app, `identity-${config.stage}-access`, { env, tags, config, data, operators });
  const reminders = [...overlapReminders(config, now.toISOString().slice(0, 10)), ...contactReminder(config)];
  for (const reminder of reminders) Annotations.of(api).addWarning(reminder);
  addOperations(app, config, { env, tags, data, api, console });
  const { probeRegion, backup } = config.operations ?? {};
  const { stage } = config;
  if (backup) new BackupStack(app, `identity-${stage}-backup`, { env, tags, stage, backup, data });
  if (probeRegion) {
    const region = { ...env, region: probeRegion };
    const probe = { env: region, tags, config, data, bundles };
    new ProbeStack(app, `identity-${config.stage}-probe`, probe).addStackDependency(data);
  }
  addDelivery(app, config, { env, tags });
  if (config.stage === 'dev') makeDeletable(app, data);
  return app;
}

/** The only stack in another account, whose credentials cannot deploy the others. */
function addBackupVault(app: App, { stage, account, operations }: StageConfig): App {
  const { backup: env } = operations ?? {};
  if (!env || !account) throw new Error(`${stageFile(stage)} does not set operations.backup.`);
  const tags = { service: 'identity-verification', stage };
  new BackupVaultStack(app, `identity-${stage}-backup-vault`, { env, tags, stage, account });
  return app;
}

/** For `npm run destroy`. */
function makeDeletable(app: App, data: DataStack): void {
  data.terminationProtection = false;
  RemovalPolicies.of(app).destroy({
    applyToResourceTypes: [
      'AWS::Cognito::UserPool',
      'AWS::DynamoDB::GlobalTable',
      'AWS::KMS::Key',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
    ],
  });
  for (const resource of data.node.findAll()) {
    if (resource instanceof CfnGlobalTable)
      resource.addPropertyOverride('Replicas.0.DeletionProtectionEnabled', false);
    if (resource instanceof CfnUserPool) resource.deletionProtection = 'INACTIVE';
  }
}

interface OperationsProps extends StackProps {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly console: ConsoleStack | undefined;
}

function addOperations(
  app: App,
  config: StageConfig,
  { data, api, console, ...props }: OperationsProps,
): void {
  const { stage } = config;
  if (!config.operations) return;
  const operations = new OperationsStack(app, `identity-${stage}-operations`, {
    ...props,
    config,
    data,
    domains: [...api.restApi.domains, ...(console?.restApi.domains ?? [])],
  });
  // Some alarms fire when data is missing, so the schedules that write it must exist first.
  operations.addStackDependency(api);
  if (console) operations.addStackDependency(console);
}

interface ConsoleProps extends Omit<ConsoleStackProps, 'config' | 'console' | 'webhooks'> {
  readonly api: ApiStack;
}

/** The API stack sets the role that writes access logs. */
function addConsole(
  app: App,
  config: StageConfig,
  { api, sandbox, ...props }: ConsoleProps,
): ConsoleStack | undefined {
  const { console, stage } = config;
  if (!console) return undefined;
  // In the stage `local`, the runtime replaces the address.
  const publicBaseUrl = config.publicBaseUrl ?? api.restApi.url;
  const { data, bundles, ...stackProps } = props;
  const webhooks = new WebhookStack(app, `identity-${stage}-webhooks`, { ...stackProps, stage });
  const stack = new ConsoleStack(app, `identity-${stage}-console`, {
    ...props,
    webhooks,
    config: { ...config, publicBaseUrl },
    console,
    sandbox: stage === 'local' ? sandbox : undefined,
  });
  stack.addStackDependency(api);
  return stack;
}

/** After all others: it fails if the account has the identity provider, and `cdk deploy --all` stops at a failure. */
function addDelivery(app: App, { stage, operations }: StageConfig, props: StackProps): void {
  const delivery = operations?.delivery;
  if (!delivery) return;
  const others = app.node.children.filter((one) => one instanceof Stack);
  const stack = new DeliveryStack(app, `identity-${stage}-delivery`, { ...props, stage, delivery });
  for (const other of others) stack.addStackDependency(other);
}

function bundleFunctions(config: StageConfig, outputDirectory: string): ReadonlyMap<string, string> {
  const { directories } = bundle(FUNCTION_SOURCES, join(outputDirectory, 'bundles'));
  const site = directories.get(CONSOLE_SITE.name);
  if (config.console && site) addConsoleSite(site);
  return directories;
}

if (import.meta.main) buildApp().synth();
