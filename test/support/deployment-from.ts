import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { trailArchive } from '../../shared/audit/archive.ts';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';
import { s3Bucket } from '../../shared/core/bucket.ts';
import { parseSecret, type Secret } from '../../shared/core/secrets.ts';
import type { Deployment } from '../../shared/operators/deployment.ts';
import { requireMoney } from '../../shared/operators/operations/orders.ts';
import { paystackProviders } from '../../shared/payments/paystack/paystack.ts';
import { moneySettings } from '../../shared/payments/settings.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const settings = v.object({
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
  SLIP_SECRET: v.optional(text),
  PAYMENTS_SECRET: v.optional(text),
  MONEY: v.optional(text),
});

/** Returns the deployment that these variables describe (`adminAwsEnvironment`), accessed without restrictions. */
export function deploymentFrom(environment: Readonly<Record<string, string | undefined>>): Deployment {
  const found = v.parse(settings, environment);
  const aws = {
    ...EXPLICIT_SETTINGS,
    region: found.AWS_REGION,
    credentials: { accessKeyId: found.AWS_ACCESS_KEY_ID, secretAccessKey: found.AWS_SECRET_ACCESS_KEY },
  };
  const money = found.MONEY === undefined ? undefined : v.parse(moneySettings, JSON.parse(found.MONEY));
  const endpoint = found.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  const secret = async (name: string, SecretId: string | undefined): Promise<Secret> => {
    const client = new SecretsManagerClient({ ...aws, ...(endpoint && { endpoint }) });
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    return parseSecret(SecretString, `The secret ${name}`);
  };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...aws, endpoint: found.AWS_ENDPOINT_URL_DYNAMODB }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return {
    client,
    tables: {
      apiKeys: found.API_KEYS_TABLE,
      wallets: found.WALLETS_TABLE,
      verificationLogs: found.VERIFICATION_LOGS_TABLE,
      auditTrail: found.AUDIT_TRAIL_TABLE,
      approvals: found.APPROVALS_TABLE,
      payments: found.PAYMENTS_TABLE,
      console: found.CONSOLE_TABLE,
    },
    secondPersonAbove:
      found.SECOND_PERSON_ABOVE === undefined || found.SECOND_PERSON_ABOVE === 'off'
        ? undefined
        : Number(found.SECOND_PERSON_ABOVE),
    logRetentionDays: Number(found.LOG_RETENTION_DAYS),
    money,
    pepper: () => secret('PEPPER', found.PEPPER_SECRET),
    slipSecret: () => secret('SLIP', found.SLIP_SECRET),
    paymentProviders: () =>
      paystackProviders({
        credentials: () => secret('PAYMENTS', found.PAYMENTS_SECRET),
        baseUrl: requireMoney(money).paystackUrl,
        allowLocal: true,
      }),
    registryCredentials: (name) => secret(name, undefined),
    isLocal: true,
    archive() {
      const { ARCHIVE_BUCKET: name, AWS_ENDPOINT_URL_S3: s3 } = found;
      return name && s3 ? trailArchive(s3Bucket({ name, endpoint: s3 }, client)) : undefined;
    },
  };
}
