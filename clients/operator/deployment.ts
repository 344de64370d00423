import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Stage } from '../../infra/config.ts';
import { trailArchive } from '../../shared/audit/archive.ts';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';
import { type S3Bucket, s3Bucket } from '../../shared/core/bucket.ts';
import type { Deployment as OperatedDeployment } from '../../shared/operators/deployment.ts';
import { type MoneySettings, moneySettings } from '../../shared/payments/settings.ts';
import { accessStage, type StageAccess } from './aws-profile.ts';
import { OperatorApi } from './operator-api.ts';
import { type ServerClock, serverClock } from './server-clock.ts';

/** One deployment of the service. The operator reads its tables, and changes them only through the operator API. */
export interface Deployment extends OperatedDeployment {
  /** AWS's clock, read from the responses that `client` receives. */
  readonly clock: ServerClock;
  readonly api: OperatorApi;
  /** Returns the bucket for the reports of closed months. Undefined if the stage has none. */
  reportBucket(): S3Bucket | undefined;
}

const LOCAL_SERVICE_FILE = fileURLToPath(new URL('../../.local/service.json', import.meta.url));

const text = v.pipe(v.string(), v.nonEmpty());
const serviceFile = v.object({
  adminAwsEnvironment: v.object({
    API_KEYS_TABLE: text,
    WALLETS_TABLE: text,
    VERIFICATION_LOGS_TABLE: text,
    AUDIT_TRAIL_TABLE: text,
    APPROVALS_TABLE: text,
    PAYMENTS_TABLE: text,
    CONSOLE_TABLE: text,
    SECOND_PERSON_ABOVE: v.optional(text, 'off'),
    LOG_RETENTION_DAYS: v.optional(text, '365'),
    AWS_REGION: text,
    AWS_ENDPOINT_URL_DYNAMODB: text,
    AWS_ENDPOINT_URL_S3: v.optional(text),
    ARCHIVE_BUCKET: v.optional(text),
    MONEY: v.optional(text),
  }),
  operators: v.object({
    url: text,
    credentials: v.object({ accessKeyId: text, secretAccessKey: text, sessionToken: text }),
  }),
});

/** The secrets of the service are read by functions, never by people. */
const NO_SECRETS = {
  async pepper(): Promise<never> {
    throw new Error('Only functions can read the pepper.');
  },
  async slipSecret(): Promise<never> {
    throw new Error('Only functions can read the secret of slips.');
  },
  paymentProviders(): never {
    throw new Error('Only functions can call the payment provider.');
  },
  async registryCredentials(): Promise<never> {
    throw new Error('Only functions can call a registry.');
  },
  isLocal: false,
};

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
  const { adminAwsEnvironment: found, operators } = described.output;
  const { credentials, url } = operators;
  const client = connect({
    ...EXPLICIT_SETTINGS,
    region: found.AWS_REGION,
    credentials,
    endpoint: found.AWS_ENDPOINT_URL_DYNAMODB,
  });
  const money = moneyIn(found.MONEY ?? 'off');
  return {
    ...NO_SECRETS,
    client,
    clock: serverClock(client),
    api: new OperatorApi(url, client.config),
    tables: {
      apiKeys: found.API_KEYS_TABLE,
      wallets: found.WALLETS_TABLE,
      verificationLogs: found.VERIFICATION_LOGS_TABLE,
      auditTrail: found.AUDIT_TRAIL_TABLE,
      approvals: found.APPROVALS_TABLE,
      payments: found.PAYMENTS_TABLE,
      console: found.CONSOLE_TABLE,
    },
    secondPersonAbove: secondPersonAbove(found.SECOND_PERSON_ABOVE),
    logRetentionDays: Number(found.LOG_RETENTION_DAYS),
    money,
    reportBucket: () => bucketOf(money?.exportBucket, { endpoint: found.AWS_ENDPOINT_URL_S3 }, client),
    archive: () => archiveIn(found.ARCHIVE_BUCKET, { endpoint: found.AWS_ENDPOINT_URL_S3 }, client),
  };
}

/**
 * Returns the deployment of a stage on AWS, as the outputs of its stacks describe it. First checks that the AWS profile
 * belongs to the account and region of the stage, and throws if it does not. If this check has already been made,
 * `access` is its result.
 */
export async function stageDeployment(stage: Stage, access?: StageAccess): Promise<Deployment> {
  const found = access ?? (await accessStage(stage));
  const { region } = found;
  const [dataStack, operatorsStack] = [`identity-${stage}-data`, `identity-${stage}-operators`];
  const outputs = await stackOutputs(dataStack, found);
  const operators = await stackOutputs(operatorsStack, found);
  const required = (key: string): string => requiredOutput(dataStack, outputs, key);
  const client = connect({ region });
  const money = moneyIn(required('Money'));
  // The variables that the SDK reads too.
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const s3 = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  return {
    ...NO_SECRETS,
    client,
    clock: serverClock(client),
    api: new OperatorApi(requiredOutput(operatorsStack, operators, 'OperatorsUrl'), client.config),
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
    logRetentionDays: Number(required('LogRetentionDays')),
    money,
    reportBucket: () => bucketOf(money?.exportBucket, { endpoint: s3, owner: found.account }, client),
    archive: () =>
      archiveIn(
        required('AuditArchiveBucket'),
        { endpoint: s3, owner: required('AuditArchiveAccount') },
        client,
      ),
  };
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

/** Reads the output `Money`: settings as JSON, or `off`. */
function moneyIn(output: string): MoneySettings | undefined {
  return output === 'off' ? undefined : v.parse(moneySettings, JSON.parse(output));
}

/** Reads the output `SecondPersonAbove`: a number of credits, or `off`. */
function secondPersonAbove(output: string): number | undefined {
  return output === 'off' ? undefined : Number(output);
}

type Outputs = Readonly<Record<string, string | undefined>>;

function requiredOutput(stackName: string, outputs: Outputs, key: string): string {
  const value = outputs[key];
  if (!value) throw new Error(`The stack ${stackName} has no output ${key}. Deploy the stack again.`);
  return value;
}

/** The outputs are declared in infra/stacks/data-stack.ts and operators-stack.ts. */
async function stackOutputs(stackName: string, { region, account }: StageAccess): Promise<Outputs> {
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
