import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { database } from '../../shared/core/database.ts';
import { secretsManager } from '../../shared/core/secrets.ts';

/** Makes a call with each client that every verification uses. bundle.test.ts bundles this file like a function. */
export async function sendCalls(): Promise<void> {
  await database().send(new GetCommand({ TableName: 'ApiKeys', Key: { pk: 'a', sk: 'b' } }));
  await secretsManager().send(new GetSecretValueCommand({ SecretId: 'Pepper' }));
}
