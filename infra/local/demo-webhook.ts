import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';
import { currentPart, parseSecret, type Secret } from '../../shared/core/secrets.ts';
import { newEndpoint, signingSecrets } from '../../shared/webhooks/endpoint.ts';
import { endpointTable } from '../../shared/webhooks/endpoint-table.ts';
import { endpointSecret, masterIdOf } from '../../shared/webhooks/signature.ts';
import { RECEIVER_PATH, type WebhookReceiver } from './webhook-receiver.ts';

/** The webhook endpoint of the demo organisation, in the test environment. */

const EVENTS = ['top_up.credited', 'key.expiring'] as const;

interface DemoService {
  readonly baseUrl: string;
  /** Settings of the service, and credentials without restrictions. */
  readonly adminAwsEnvironment: Readonly<Record<string, string>>;
}

/**
 * Adds the endpoint, unless the organisation already has one in the test environment, and gives the receiver its
 * secrets. Does nothing if the app has no webhooks.
 */
export async function connectDemoWebhook(
  receiver: WebhookReceiver,
  client: DynamoDBClient,
  organisationId: string,
  { baseUrl, adminAwsEnvironment }: DemoService,
): Promise<void> {
  const { CONSOLE_TABLE: table, WEBHOOKS_SECRET: secretId } = adminAwsEnvironment;
  if (!table || !secretId) return;
  const masters = await readSecret(secretId, adminAwsEnvironment);
  const options = { marshallOptions: { removeUndefinedValues: true } };
  const endpoints = endpointTable(DynamoDBDocumentClient.from(client, options), table);
  const wallet = { env: 'test', organisationId } as const;
  if ((await endpoints.getCount(wallet)) === 0) {
    const choice = { url: `${baseUrl}${RECEIVER_PATH}`, eventTypes: EVENTS };
    const master = masterIdOf(currentPart('WEBHOOKS', masters));
    await endpoints.insertEndpoint(newEndpoint(wallet, choice, master, Date.now()), 0);
  }
  // Reads the endpoints for each event, so that the rotation of an endpoint's secret needs no restart.
  receiver.useSecrets(async () => {
    const rows = await endpoints.listEndpoints(wallet);
    return rows.flatMap((row) =>
      signingSecrets(row, Date.now()).map((ref) => endpointSecret(row, ref, masters)),
    );
  });
}

async function readSecret(id: string, environment: Readonly<Record<string, string>>): Promise<Secret> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = '' } = environment;
  const client = new SecretsManagerClient({
    ...EXPLICIT_SETTINGS,
    region: AWS_REGION,
    endpoint: environment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '',
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
  client.destroy();
  return parseSecret(SecretString, id);
}
