import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Stage } from '../../infra/config.ts';
import { logRetentionDays } from '../../infra/stages/read-config.ts';
import { parseSecret, type Secret } from '../../shared/core/secrets.ts';

/** The tables of one deployment, and a client with the operator's rights. */
export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  readonly tables: {
    readonly apiKeys: string;
    readonly wallets: string;
    readonly verificationLogs: string;
  };
  /** How long log rows are kept (decision E6). */
  readonly logRetentionDays: number;
  /** The secret that derives number tags, read when it is asked for: most commands need none. */
  readonly pepper: () => Promise<Secret>;
}

const LOCAL_SERVICE_FILE = fileURLToPath(new URL('../../.local/service.json', import.meta.url));

const text = v.pipe(v.string(), v.nonEmpty());
const localEnvironment = v.object({
  API_KEYS_TABLE: text,
  WALLETS_TABLE: text,
  VERIFICATION_LOGS_TABLE: text,
  LOG_RETENTION_DAYS: v.optional(text, '365'),
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_ENDPOINT_URL_DYNAMODB: text,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: v.optional(text),
  PEPPER_SECRET: v.optional(text),
});
const serviceFile = v.object({ adminAwsEnvironment: localEnvironment });

/** The outputs of the data stack, infra/stacks/data-stack.ts. */
const stackOutputs = v.object({
  ApiKeysTable: text,
  WalletsTable: text,
  VerificationLogsTable: text,
  PepperSecret: v.optional(text),
});

function connect(settings: DynamoDBClientConfig): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** The place that a running local service describes in `adminAwsEnvironment`: table names, endpoint, credentials. */
export function deploymentFrom(environment: Readonly<Record<string, string | undefined>>): Deployment {
  const found = v.parse(localEnvironment, environment);
  const settings = {
    region: found.AWS_REGION,
    credentials: { accessKeyId: found.AWS_ACCESS_KEY_ID, secretAccessKey: found.AWS_SECRET_ACCESS_KEY },
  };
  const client = connect({ ...settings, endpoint: found.AWS_ENDPOINT_URL_DYNAMODB });
  const endpoint = found.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  const pepper = () => readSecret(found.PEPPER_SECRET, { ...settings, ...(endpoint && { endpoint }) });
  const tables = {
    apiKeys: found.API_KEYS_TABLE,
    wallets: found.WALLETS_TABLE,
    verificationLogs: found.VERIFICATION_LOGS_TABLE,
  };
  return { client, tables, logRetentionDays: Number(found.LOG_RETENTION_DAYS), pepper };
}

/** A secret's parts. Throws where the place does not name it, or it is no JSON object of strings. */
async function readSecret(arn: string | undefined, settings: SecretsManagerClientConfig): Promise<Secret> {
  if (!arn) throw new Error('This place does not name its pepper. Deploy its data stack again.');
  // Loaded only here: no other command reads a secret.
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const answer = await new SecretsManagerClient(settings).send(new GetSecretValueCommand({ SecretId: arn }));
  return parseSecret(answer.SecretString, 'The pepper');
}

/** The running local service, by the file that it keeps while it runs (`LOCAL_SERVICE_FILE` names another). */
export function localDeployment(): Deployment {
  const file = process.env['LOCAL_SERVICE_FILE'] ?? LOCAL_SERVICE_FILE;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error('The local service is not running (npm start).');
  }
  const described = v.safeParse(serviceFile, content);
  // The parser's issues would quote credentials.
  if (!described.success) throw new Error(`${file} does not describe a local service.`);
  return deploymentFrom(described.output.adminAwsEnvironment);
}

/** A stage on AWS, by the outputs of its data stack. Account and region come from the AWS profile. */
export async function stageDeployment(stage: Stage): Promise<Deployment> {
  // Loaded only here, so that the local runtime and its tests do not wait for it.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const stackName = `identity-${stage}-data`;
  const answer = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName: stackName }));
  const outputs = (answer.Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [
    OutputKey,
    OutputValue,
  ]);
  const found = v.safeParse(stackOutputs, Object.fromEntries(outputs));
  if (!found.success) throw new Error(`The stack ${stackName} does not name its tables. Deploy it again.`);
  const { ApiKeysTable, WalletsTable, VerificationLogsTable, PepperSecret } = found.output;
  const tables = { apiKeys: ApiKeysTable, wallets: WalletsTable, verificationLogs: VerificationLogsTable };
  const pepper = () => readSecret(PepperSecret, {});
  return { client: connect({}), tables, logRetentionDays: logRetentionDays(stage), pepper };
}
