import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { LIVE_PROVIDER_NAMES, type LiveProviderName } from '../../shared/registries/providers/catalogue.ts';
import type { LiveRouting, StageConfig } from '../config.ts';
import { SLIP_THEME_FILE } from '../slip-theme.ts';
import type { AccessProfile, SecretName, SettingName, TableName, TableRight } from './access-profiles.ts';
import { METRICS_NAMESPACE, serviceName } from './physical-names.ts';

/** What a profile becomes: the variables that tell a function where things are, and the rights to touch them. */
export interface Access {
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly PolicyStatement[];
}

type Table = Pick<ITable, 'tableName' | 'tableArn'>;
type Secret = Pick<ISecret, 'secretArn'>;

export interface AccessibleThings {
  readonly config: StageConfig;
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  /** Undefined only for the sandbox itself. */
  readonly sandboxUrl?: string;
  /** Undefined where the stage has no events. */
  readonly eventBus?: Pick<IEventBus, 'eventBusArn' | 'eventBusName'> | undefined;
}

const TABLE_VARIABLES: Readonly<Record<TableName, string>> = {
  ApiKeys: 'API_KEYS_TABLE',
  Wallets: 'WALLETS_TABLE',
  VerificationLogs: 'VERIFICATION_LOGS_TABLE',
};

/** Variables and rights from one source: a function is never told of a thing that it may not touch, or reversely. */
export function accessTo(things: AccessibleThings, profile: AccessProfile): Access {
  const rights = profile.tables ?? [];
  const secretNames = [...(profile.secrets ?? []), ...registrySecrets(things.config, profile)];
  const watched = arnsOf(things, watchedSecrets(things.config, profile));
  return {
    environment: {
      ...commonSettings(things.config),
      ...Object.fromEntries(
        rights.map(({ table }) => [TABLE_VARIABLES[table], things.tables[table].tableName]),
      ),
      ...Object.fromEntries(secretNames.map((name) => [`${name}_SECRET`, things.secrets[name].secretArn])),
      ...Object.fromEntries((profile.settings ?? []).flatMap((name) => setting(things.config, name))),
      ...registrySettings(things, profile),
      ...(watched.length > 0 && { MONITORED_SECRETS: watched.join(',') }),
      ...(profile.publishes && { EVENT_BUS: busOf(things).eventBusName }),
    },
    statements: [
      ...rights.map((right) => tableStatement(things.tables[right.table], right)),
      ...secretStatement('GetSecretValue', arnsOf(things, secretNames)),
      ...secretStatement('ListSecretVersionIds', watched),
      ...(profile.publishes ? [publishStatement(things)] : []),
    ],
  };
}

function tableStatement({ tableArn }: Table, { actions, index, leadingKeys }: TableRight): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [index ? `${tableArn}/index/${index}` : tableArn],
    ...(leadingKeys && {
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } },
    }),
  });
}

function secretStatement(action: string, arns: readonly string[]): PolicyStatement[] {
  if (arns.length === 0) return [];
  return [new PolicyStatement({ actions: [`secretsmanager:${action}`], resources: [...arns] })];
}

function arnsOf({ secrets }: AccessibleThings, names: readonly SecretName[]): string[] {
  return names.map((name) => secrets[name].secretArn);
}

function busOf({ eventBus }: AccessibleThings) {
  if (!eventBus) throw new Error('A function that publishes events needs the bus of the stage.');
  return eventBus;
}

function publishStatement(things: AccessibleThings): PolicyStatement {
  return new PolicyStatement({ actions: ['events:PutEvents'], resources: [busOf(things).eventBusArn] });
}

/** The sandbox serves test keys everywhere; a live provider's secret goes only to the functions that ask it. */
function registrySecrets({ registries }: StageConfig, { asks = [] }: AccessProfile): SecretName[] {
  return asks.length === 0 ? [] : ['SANDBOX', ...providerSecrets(registries, asks)];
}

/** A provider that nobody asks may have no account: its secret is as it was made, and says nothing. */
function watchedSecrets({ registries }: StageConfig, { specs = [] }: AccessProfile): SecretName[] {
  return specs.length === 0 ? [] : [...specs, ...providerSecrets(registries, ID_TYPES)];
}

function providerSecrets(registries: LiveRouting, asks: readonly IdType[]): Uppercase<LiveProviderName>[] {
  const asked = new Set(asks.flatMap((idType) => registries[idType] ?? []));
  const live = LIVE_PROVIDER_NAMES.filter((provider) => asked.has(provider));
  return live.map((provider) => provider.toUpperCase() as Uppercase<LiveProviderName>);
}

function registrySettings({ config, sandboxUrl }: AccessibleThings, profile: AccessProfile) {
  if (!profile.asks) return {};
  if (!sandboxUrl) throw new Error('A function that asks registries needs the address of the sandbox.');
  return {
    REGISTRIES: JSON.stringify(config.registries),
    REGISTRY_TIMEOUT_MS: String(config.registryTimeoutMs),
    ACCEPT_TAX_ID: String(config.acceptTaxId),
    SANDBOX_URL: sandboxUrl,
  };
}

function commonSettings({ stage, logLevel, databaseTimeoutMs }: StageConfig) {
  return {
    STAGE: stage,
    LOG_LEVEL: logLevel,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs),
    POWERTOOLS_SERVICE_NAME: serviceName(stage),
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
  };
}

/** A setting as name and value; none where the stage leaves it to the function's default. */
function setting(config: StageConfig, name: SettingName): [SettingName, string][] {
  const values: Record<SettingName, string | undefined> = {
    REGISTRIES: JSON.stringify(config.registries),
    LOG_RETENTION_DAYS: String(config.verificationLogRetentionDays),
    PUBLIC_BASE_URL: config.publicBaseUrl,
    LOW_BALANCE_CREDITS: String(config.lowBalanceCredits),
    SLIP_THEME: config.slipTheme && SLIP_THEME_FILE,
  };
  const value = values[name];
  return value === undefined ? [] : [[name, value]];
}
