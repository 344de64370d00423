import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** A secret of the running service, read with the operator's rights. Import `service.ts` first: it names the secrets. */
export async function readSecret(name: string): Promise<Readonly<Record<string, string>>> {
  const command = new GetSecretValueCommand({ SecretId: process.env[`${name}_SECRET`] ?? '' });
  const { SecretString } = await new SecretsManagerClient().send(command);
  return JSON.parse(SecretString ?? '{}') as Record<string, string>;
}
