import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import type { LiveRouting, StageConfig } from '../../config.ts';
import { methodsOf, ROUTES } from '../../routes.ts';
import { SLIP_THEME_FILE } from '../../slip-theme.ts';
import { testTrafficOf } from '../../stages/capacity.ts';
import { type AuditArchive, archiveAccess } from '../data/audit-archive.ts';
import { keyStatements } from '../data/data-key.ts';
import { type WebhookQueues, webhookAccess } from '../functions/webhook-queue.ts';
import { consoleName, functionNameOf, PUBLISHER, serviceName } from '../physical-names.ts';
import type { AccessProfile, SecretName, SettingName, TableName, TableRight } from './access-profiles.ts';
import { type ConsoleResources, consoleAccess, consoleSettings } from './console-access.ts';

export interface Access {
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly PolicyStatement[];
}

type Table = Pick<ITable, 'tableName' | 'tableArn'>;
type Secret = Pick<ISecret, 'secretArn'>;

export interface StageResources {
  readonly config: StageConfig;
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  readonly key: Pick<IKey, 'keyArn'>;
  /** Undefined for the sandbox itself, and the console on AWS. */
  readonly sandbox?: { readonly url: string; readonly functionArn: string } | undefined;
  /** Of the console only. */
  readonly webhookQueue?: WebhookQueues;
  /** In the stack of functions only. */
  readonly versionCheck?: Access;
  /** In the API stack only. */
  readonly eventBus?: Pick<IEventBus, 'eventBusArn' | 'eventBusName'> | undefined;
  /** Undefined for the console. */
  readonly archive?: AuditArchive;
  /** Of the console only. */
  readonly console?: ConsoleResources;
}

const TABLE_VARIABLES: Readonly<Record<TableName, string>> = {
  ApiKeys: 'API_KEYS_TABLE',
  Wallets: 'WALLETS_TABLE',
  VerificationLogs: 'VERIFICATION_LOGS_TABLE',
  AuditTrail: 'AUDIT_TRAIL_TABLE',
  Approvals: 'APPROVALS_TABLE',
  Payments: 'PAYMENTS_TABLE',
  Console: 'CONSOLE_TABLE',
};

/**
 * Variables and permissions always agree: a function gets a resource's name if and only if it may access it.
 */
export function accessTo(resources: StageResources, profile: AccessProfile): Access {
  const { config, tables, secrets, key } = resources;
  const rights = [...new Set(profile.tables)];
  const secretNames = [...(profile.secrets ?? []), ...registrySecrets(resources, profile)];
  const monitored = arnsOf(resources, monitoredSecrets(config, profile));
  const ofConsole = consoleAccess(config, resources.console, profile);
  const ofWebhooks = webhookAccess(resources.webhookQueue, profile);
  const ofArchive = archiveAccess(resources.archive, profile);
  return {
    environment: {
      ...commonSettings(resources),
      ...Object.fromEntries(rights.map(({ table }) => [TABLE_VARIABLES[table], tables[table].tableName])),
      ...Object.fromEntries(secretNames.map((name) => [`${name}_SECRET`, secrets[name].secretArn])),
      ...Object.fromEntries((profile.settings ?? []).flatMap((name) => setting(config, name))),
      ...registrySettings(resources, profile),
      ...(monitored.length > 0 && { MONITORED_SECRETS: monitored.join(',') }),
      ...(profile.checksVersions && versionCheckOf(resources).environment),
      ...(profile.publishes && { EVENT_BUS: eventBusOf(resources).eventBusName }),
      ...(profile.startsPublisher && { EVENT_PUBLISHER: functionNameOf(config.stage, PUBLISHER) }),
      ...ofConsole.environment,
      ...ofWebhooks.environment,
      ...ofArchive.environment,
    },
    statements: [
      ...rights.map((right) => tableStatement(tables[right.table], right)),
      ...secretStatement('GetSecretValue', arnsOf(resources, secretNames)),
      ...secretStatement('ListSecretVersionIds', monitored),
      ...(profile.looksUp ? sandboxStatements(resources) : []),
      ...keyStatements(key, { tables: rights, secrets: secretNames }),
      ...(profile.checksVersions ? versionCheckOf(resources).statements : []),
      ...(profile.publishes ? [publishStatement(resources)] : []),
      ...ofConsole.statements,
      ...ofWebhooks.statements,
      ...ofArchive.statements,
    ],
  };
}

interface StatementRight extends Omit<TableRight, 'actions'> {
  readonly actions: readonly string[];
}

export function tableStatement(
  { tableArn }: Pick<Table, 'tableArn'>,
  { actions, index, leadingKeys, attributes, inTransaction }: StatementRight,
): PolicyStatement {
  // Only a transaction has condition checks, and the Service Authorization Reference knows no EnclosingOperation for them.
  if (inTransaction && actions.includes('ConditionCheckItem'))
    throw new Error('A right to ConditionCheckItem cannot have inTransaction.');
  // A read of all attributes would name none.
  const isRead = actions.some((action) => action === 'GetItem' || action === 'Scan');
  const conditions = {
    ...(leadingKeys && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } }),
    ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } }),
    ...(attributes && isRead && { StringEquals: { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'] } }),
    ...(inTransaction && {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    }),
  };
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [index ? `${tableArn}/index/${index}` : tableArn],
    ...(Object.keys(conditions).length > 0 && { conditions }),
  });
}

export function secretStatement(action: string, arns: readonly string[]): PolicyStatement[] {
  if (arns.length === 0) return [];
  return [new PolicyStatement({ actions: [`secretsmanager:${action}`], resources: [...arns] })];
}

function arnsOf({ secrets }: StageResources, names: readonly SecretName[]): string[] {
  return names.map((name) => secrets[name].secretArn);
}

function eventBusOf({ eventBus }: StageResources) {
  if (!eventBus) throw new Error('A function that publishes events must be in the API stack.');
  return eventBus;
}

function versionCheckOf({ versionCheck }: StageResources): Access {
  if (!versionCheck) throw new Error('A function that checks versions must be in the stack of functions.');
  return versionCheck;
}

function publishStatement(resources: StageResources): PolicyStatement {
  return new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [eventBusOf(resources).eventBusArn],
  });
}

/** And of the sandbox, which serves test keys for every ID type. */
function registrySecrets(resources: StageResources, { looksUp = [] }: AccessProfile): SecretName[] {
  if (looksUp.length === 0) return [];
  const providers = providerSecrets(resources.config.registries, looksUp);
  return sandboxOf(resources) ? ['SANDBOX', ...providers] : providers;
}

/** The secrets of providers that are not in use have their initial value, whose age means nothing. */
function monitoredSecrets({ registries }: StageConfig, { monitors = [] }: AccessProfile): SecretName[] {
  return monitors.length === 0 ? [] : [...monitors, ...providerSecrets(registries, ID_TYPES)];
}

function providerSecrets(registries: LiveRouting, idTypes: readonly IdType[]): Uppercase<LiveProviderName>[] {
  const routed = new Set(idTypes.flatMap((idType) => registries[idType] ?? []));
  const live = LIVE_PROVIDER_NAMES.filter((provider) => routed.has(provider));
  return live.map((provider) => provider.toUpperCase() as Uppercase<LiveProviderName>);
}

/** Undefined for the console on AWS, which calls only live providers. */
function sandboxOf({ sandbox, console }: StageResources) {
  if (!sandbox && !console) throw new Error('A function that calls registries needs the URL of the sandbox.');
  return sandbox;
}

/** The second allows only calls through the URL. */
function sandboxStatements(resources: StageResources): PolicyStatement[] {
  const sandbox = sandboxOf(resources);
  if (!sandbox) return [];
  const arns = [sandbox.functionArn];
  return [
    new PolicyStatement({ actions: ['lambda:InvokeFunctionUrl'], resources: arns }),
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: arns,
      conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
    }),
  ];
}

function registrySettings(resources: StageResources, { looksUp }: AccessProfile) {
  if (!looksUp) return {};
  const { config } = resources;
  const sandbox = sandboxOf(resources);
  return {
    REGISTRIES: JSON.stringify(config.registries),
    ...Object.fromEntries(
      (['REGISTRY_TIMEOUT_MS', 'TEST_TRAFFIC'] as const).flatMap((name) => setting(config, name)),
    ),
    ...(sandbox && { SANDBOX_URL: sandbox.url }),
  };
}

/** The console has its own logs and metrics. */
function commonSettings({ config: { stage, logLevel, databaseTimeoutMs }, console }: StageResources) {
  return {
    STAGE: stage,
    LOG_LEVEL: logLevel,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs),
    POWERTOOLS_SERVICE_NAME: console ? consoleName(stage) : serviceName(stage),
  };
}

/** As in the Allow header. */
function allowedMethods(): Record<string, string> {
  const byPath = Map.groupBy(ROUTES, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [path, routes.flatMap(methodsOf).join(', ')]),
  );
}

/** Nothing if the stage leaves it to the function's default. */
function setting(config: StageConfig, name: SettingName): [SettingName, string][] {
  const values: Partial<Record<SettingName, string | undefined>> = {
    REGISTRIES: JSON.stringify(config.registries),
    LOG_RETENTION_DAYS: String(config.verificationLogRetentionDays),
    PUBLIC_BASE_URL: config.publicBaseUrl,
    SUPPORT_CONTACT: config.supportContact,
    LOW_BALANCE_CREDITS: String(config.lowBalanceCredits),
    NUBAN_RESOLVE: config.nubanResolve ? 'on' : 'off',
    SLIP_THEME: config.slipTheme && SLIP_THEME_FILE,
    MONEY: config.money && JSON.stringify(config.money),
    TEST_TRAFFIC: JSON.stringify(testTrafficOf(config)),
    REGISTRY_TIMEOUT_MS: String(config.registryTimeoutMs),
    ALLOWED_METHODS: JSON.stringify(allowedMethods()),
    SECOND_PERSON_ABOVE: String(config.secondPerson?.creditsAbove ?? 'off'),
    ...consoleSettings(config),
  };
  const value = values[name];
  return value === undefined ? [] : [[name, value]];
}
