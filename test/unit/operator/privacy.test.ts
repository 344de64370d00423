import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { Deployment } from '../../../clients/operator/deployment.ts';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { REAL_CLOCK } from '../../../shared/core/clock.ts';
import { privacyOf } from '../../../shared/operators/operations/privacy.ts';

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

test('an erasure that was requested before a rotation of the pepper is rejected, and nothing is erased', async () => {
  const sent: unknown[] = [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  client.send = async ({ input }: { readonly input: object }) => {
    if ('TableName' in input && input.TableName === 'ApiKeys')
      return { Item: newOrganisation('x', new Date(0)) };
    sent.push(input);
    throw new Error('The table was called.');
  };
  let pepper: Record<string, string> = { current: 'the first pepper' };
  const deployment = {
    client,
    tables: { apiKeys: 'ApiKeys', verificationLogs: 'VerificationLogs', wallets: 'Wallets' },
    pepper: async () => pepper,
    logRetentionDays: 365,
  } as unknown as Deployment;
  const recorder = { record: () => [] } as unknown as Recorder;
  const clock = { ...REAL_CLOCK, pause: async () => undefined };
  const privacy = privacyOf({ deployment, clock, recorder });
  const tags = await privacy.tagsOf(WALLET, 'NIN', '12345678901');
  await expect(privacy.eraseTags(WALLET, 'NIN', tags)).rejects.toThrow('The table was called.');

  sent.length = 0;
  pepper = { current: 'the second pepper', previous: 'the first pepper' };
  await expect(privacy.eraseTags(WALLET, 'NIN', tags)).rejects.toThrow('The pepper has been rotated');
  expect(sent).toEqual([]);
});
