import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import type { SESv2ClientConfig } from '@aws-sdk/client-sesv2';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Stage } from '../../infra/config.ts';
import { consoleOf, logRetentionDays, moneyOf } from '../../infra/stages/read-config.ts';
import { type TrailArchive, trailArchive } from '../../shared/audit/archive.ts';
import type { SendMail } from '../../shared/console/mail.ts';
import { sesMail } from '../../shared/console/ses-mail.ts';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';
import { type S3Bucket, s3Bucket } from '../../shared/core/bucket.ts';
import { parseSecret, type Secret } from '../../shared/core/secrets.ts';
import type { PaymentProviders } from '../../shared/payments/paystack/payment-provider.ts';
import { paystackProviders } from '../../shared/payments/paystack/paystack.ts';
import { type MoneySettings, moneySettings } from '../../shared/payments/settings.ts';
import { UsageError } from './arguments.ts';
import { accessStage, type StageAccess } from './aws-profile.ts';
import { localIdentity } from './identity.ts';
import { requireMoney } from './operations/money-settings.ts';
import { type ServerClock, serverClock } from './server-clock.ts';

/** One deployment of the service, accessed with the operator's permissions. */
export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  readonly tables: {
    readonly apiKeys: string;
    readonly wallets: string;
    readonly verificationLogs: string;
    readonly auditTrail: string;
    readonly approvals: string;
    readonly payments: string;
    readonly console: string;
  };
  /** AWS's clock, read from the responses that `client` receives. */
  readonly clock: ServerClock;
  /**
   * Top-ups and credit notes of more credits than this need a second person, as does every correction, erasure, price
   * change and reopening of a month. Undefined if nothing does.
   */
  readonly secondPersonAbove: number | undefined;
  /** How many days the rows of VerificationLogs are kept (decision E6). */
  readonly logRetentionDays: number;
  /** The stage's money settings. Undefined if it has none. */
  readonly money: MoneySettings | undefined;
  /** Returns the actor of changes: the ARN of the AWS caller, or locally the user name of the operating system. */
  identity(): Promise<string>;
  /** Reads the secret from which number tags are derived. Most commands do not need it. */
  pepper(): Promise<Secret>;
  /** Returns the payment provider of each environment. Its keys are read from their secret when they are needed. */
  paymentProviders(): PaymentProviders;
  /** Returns the bucket for the reports of closed months. Undefined if the stage has none. */
  reportBucket(): S3Bucket | undefined;
  /** Returns the archive of the audit trail. Undefined only if a local deployment has none. */
  archive(): TrailArchive | undefined;
  /** Returns the address of the account console, and the mailer for its emails. Undefined if there is no console. */
  console(): ConsoleAccess | undefined;
  /** Reads the credentials of a registry provider from its secret. */
  registryCredentials(provider: string): Promise<Secret>;
}

export interface ConsoleAccess {
  readonly url: string;
  readonly sendMail: SendMail;
}

const LOCAL_SERVICE_FILE = fileURLToPath(new URL('../../.local/service.json', import.meta.url));

const text = v.pipe(v.string(), v.nonEmpty());
const localEnvironment = v.object({
  API_KEYS_TABLE: text,
  WALLETS_TABLE: text,
  VERIFICATION_LOGS_TABLE: text,
  AUDIT_TRAIL_TABLE: text,
  APPROVALS_TABLE: text,
  PAYMENTS_TABLE: text,
  CONSOLE_TABLE: text,
  SECOND_PERSON_ABOVE: v.optional(text),
  LOG_RETENTION_DAYS: v.optional(text, '365'),
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_ENDPOINT_URL_DYNAMODB: text,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: v.optional(text),
  AWS_ENDPOINT_URL_S3: v.optional(text),
  ARCHIVE_BUCKET: v.optional(text),
  PEPPER_SECRET: v.optional(text),
  PAYMENTS_SECRET: v.optional(text),
  MONEY: v.optional(text),
  CONSOLE_URL: v.optional(v.string(), ''),
  MAIL_FROM: v.optional(text),
  AWS_ENDPOINT_URL_SESV2: v.optional(text),
});
const serviceFile = v.object({
  adminAwsEnvironment: localEnvironment,
  console: v.optional(v.object({ url: text })),
});

/** Returns the local deployment that these environment variables describe (`adminAwsEnvironment`). */
export function deploymentFrom(environment: Readonly<Record<string, string | undefined>>): Deployment {
  const found = v.parse(localEnvironment, environment);
  const settings = {
    ...EXPLICIT_SETTINGS,
    region: found.AWS_REGION,
    credentials: { accessKeyId: found.AWS_ACCESS_KEY_ID, secretAccessKey: found.AWS_SECRET_ACCESS_KEY },
  };
  const endpoint = found.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  const client = connect({ ...settings, endpoint: found.AWS_ENDPOINT_URL_DYNAMODB });
  const money = found.MONEY === undefined ? undefined : v.parse(moneySettings, JSON.parse(found.MONEY));
  return {
    client,
    clock: serverClock(client),
    identity: async () => localIdentity(),
    tables: {
      apiKeys: found.API_KEYS_TABLE,
      wallets: found.WALLETS_TABLE,
      verificationLogs: found.VERIFICATION_LOGS_TABLE,
      auditTrail: found.AUDIT_TRAIL_TABLE,
      approvals: found.APPROVALS_TABLE,
      payments: found.PAYMENTS_TABLE,
      console: found.CONSOLE_TABLE,
    },
    secondPersonAbove: secondPersonAbove(found.SECOND_PERSON_ABOVE ?? 'off'),
    logRetentionDays: Number(found.LOG_RETENTION_DAYS),
    money,
    pepper: () => readSecret('PEPPER', found.PEPPER_SECRET, { ...settings, ...(endpoint && { endpoint }) }),
    paymentProviders: () =>
      paystackProviders({
        credentials: () =>
          readSecret('PAYMENTS', found.PAYMENTS_SECRET, { ...settings, ...(endpoint && { endpoint }) }),
        baseUrl: requireMoney(money).paystackUrl,
        allowLocal: true,
      }),
    reportBucket: () => bucketOf(money?.exportBucket, { endpoint: found.AWS_ENDPOINT_URL_S3 }, client),
    archive: () => archiveIn(found.ARCHIVE_BUCKET, { endpoint: found.AWS_ENDPOINT_URL_S3 }, client),
    console: () =>
      consoleAccess(found.CONSOLE_URL, found.MAIL_FROM, {
        ...settings,
        ...(found.AWS_ENDPOINT_URL_SESV2 && { endpoint: found.AWS_ENDPOINT_URL_SESV2 }),
      }),
    async registryCredentials() {
      throw new UsageError('`--credentials <file>` is required with `--local`.');
    },
  };
}

/**
 * Returns the deployment of the running local service, as `.local/service.json` or the file in `LOCAL_SERVICE_FILE`
 * describes it.
 */
export function localDeployment(): Deployment {
  const file = process.env['LOCAL_SERVICE_FILE'] ?? LOCAL_SERVICE_FILE;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(
      `The local service is not running: ${file} cannot be read. Start the service with \`npm start\`.`,
    );
  }
  const described = v.safeParse(serviceFile, content);
  // The parser's messages would quote credentials.
  if (!described.success)
    throw new Error(`${file} does not describe a local service. Restart the service with \`npm start\`.`);
  const { adminAwsEnvironment, console: pages } = described.output;
  return deploymentFrom({ ...adminAwsEnvironment, ...(pages && { CONSOLE_URL: pages.url }) });
}

/**
 * Returns the deployment of a stage on AWS, as the outputs of its data stack describe it. First checks that the AWS
 * profile belongs to the account and region of the stage, and throws if it does not. If this check has already been
 * made, `access` is its result.
 */
export async function stageDeployment(stage: Stage, access?: StageAccess): Promise<Deployment> {
  const found = access ?? (await accessStage(stage));
  const { region, callerArn } = found;
  const stackName = `identity-${stage}-data`;
  const outputs = await stackOutputs(stackName, found);
  const required = (key: string): string => {
    const value = outputs[key];
    if (!value) throw new Error(`The stack ${stackName} has no output ${key}. Deploy the stack again.`);
    return value;
  };
  const client = connect({ region });
  const s3 = process.env['AWS_ENDPOINT_URL_S3'] ?? `https://s3.${region}.amazonaws.com`;
  return {
    client,
    clock: serverClock(client),
    identity: async () => callerArn,
    tables: {
      apiKeys: required('ApiKeysTable'),
      wallets: required('WalletsTable'),
      verificationLogs: required('VerificationLogsTable'),
      auditTrail: required('AuditTrailTable'),
      approvals: required('ApprovalsTable'),
      payments: required('PaymentsTable'),
      console: required('ConsoleTable'),
    },
    secondPersonAbove: secondPersonAbove(required('SecondPersonAbove')),
    logRetentionDays: logRetentionDays(stage),
    money: moneyOf(stage),
    pepper: async () => readSecret('PEPPER', required('PepperSecret'), { region }),
    paymentProviders: () =>
      paystackProviders({
        credentials: () => readSecret('PAYMENTS', required('PaymentsKeySecret'), { region }),
        baseUrl: requireMoney(moneyOf(stage)).paystackUrl,
        allowLocal: false,
      }),
    reportBucket: () =>
      bucketOf(moneyOf(stage)?.exportBucket, { endpoint: s3, owner: found.account }, client),
    archive: () =>
      archiveIn(
        required('AuditArchiveBucket'),
        { endpoint: s3, owner: required('AuditArchiveAccount') },
        client,
      ),
    console: () => {
      const settings = consoleOf(stage);
      return consoleAccess(settings?.domain && `https://${settings.domain.name}`, settings?.mailFrom, {
        region,
      });
    },
    registryCredentials: async (provider) =>
      readSecret(provider, required(`Registry${provider}Secret`), { region }),
  };
}

function consoleAccess(
  url: string | undefined,
  mailFrom: string | undefined,
  settings: SESv2ClientConfig,
): ConsoleAccess | undefined {
  return url && mailFrom ? { url, sendMail: sesMail(mailFrom, settings) } : undefined;
}

interface BucketPlace {
  readonly endpoint: string | undefined;
  readonly owner?: string;
}

/** Returns a bucket. Undefined if there is no name, or if a local service has no S3 endpoint. */
function bucketOf(
  name: string | undefined,
  { endpoint, owner }: BucketPlace,
  client: DynamoDBDocumentClient,
): S3Bucket | undefined {
  return name && endpoint ? s3Bucket({ name, endpoint, owner }, client) : undefined;
}

function archiveIn(name: string | undefined, place: BucketPlace, client: DynamoDBDocumentClient) {
  const bucket = bucketOf(name, place, client);
  return bucket && trailArchive(bucket);
}

/** Reads the output `SecondPersonAbove`: a number of credits, or `off`. */
function secondPersonAbove(output: string): number | undefined {
  return output === 'off' ? undefined : Number(output);
}

/** The outputs are declared in infra/stacks/data-stack.ts. */
async function stackOutputs(
  stackName: string,
  { region, account }: StageAccess,
): Promise<Readonly<Record<string, string | undefined>>> {
  // Loaded on demand, because it takes 0.2 s and --local does not need it.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ region });
  const { Stacks } = await client
    .send(new DescribeStacksCommand({ StackName: stackName }))
    .catch((error: Error) => {
      if (!/does not exist/.test(error.message)) throw error;
      throw new Error(
        `The stack ${stackName} does not exist in the account ${account} and the region ${region}. Deploy the stage ` +
          'first. If it is elsewhere, select a different AWS profile: AWS_PROFILE=<profile>.',
      );
    });
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

function connect(settings: DynamoDBClientConfig): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

async function readSecret(
  name: string,
  arn: string | undefined,
  settings: SecretsManagerClientConfig = {},
): Promise<Secret> {
  if (!arn)
    throw new Error(
      `The local service does not name the secret ${name}. Restart the service with \`npm start\`.`,
    );
  const { SecretString } = await new SecretsManagerClient(settings).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  return parseSecret(SecretString, `The secret ${name}`);
}
