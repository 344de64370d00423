import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { EXPLICIT_SETTINGS } from '../../../shared/core/aws-client.ts';
import { type PaymentsDescription, startPayments } from '../payments.ts';

/** The route that receives Paystack's webhooks. */
const WEBHOOK_PATH = '/v1/payments/paystack';

/**
 * Starts the test double for Paystack and stores its keys and address in the PAYMENTS secret, as an operator stores
 * Paystack's keys. The address is in the secret because its port is known only now, after the synthesis. Returns
 * undefined if no function of the app may read the secret.
 */
export async function connectPayments(
  apiUrl: string,
  awsEnvironment: Readonly<Record<string, string>>,
  cleanup: AsyncDisposableStack,
): Promise<PaymentsDescription | undefined> {
  const SecretId = awsEnvironment['PAYMENTS_SECRET'];
  if (!SecretId) return undefined;
  const { url, controlUrl, keys, close } = await startPayments({ webhookUrl: `${apiUrl}${WEBHOOK_PATH}` });
  cleanup.defer(close);
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = '' } = awsEnvironment;
  const client = new SecretsManagerClient({
    ...EXPLICIT_SETTINGS,
    region: AWS_REGION,
    endpoint: awsEnvironment['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '',
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
  const SecretString = JSON.stringify({ ...keys, baseUrl: url });
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  client.destroy();
  return { url, controlUrl };
}
