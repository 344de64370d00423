import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { Deployment } from '../../../clients/operator/deployment.ts';
import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { REAL_CLOCK } from '../../../shared/core/clock.ts';
import { privacyOperations } from '../../../shared/operators/operations/privacy.ts';

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

test('an erasure that was requested before a rotation of the pepper is rejected, and nothing is erased', async () => {
  const sent: unknown[] = [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  client.send = async (command: unknown) => {
    sent.push(command);
    throw new Error('The table was called.');
  };
  let pepper: Record<string, string> = { current: 'the first pepper' };
  const deployment = {
    client,
    tables: { verificationLogs: 'VerificationLogs', wallets: 'Wallets' },
    pepper: async () => pepper,
    logRetentionDays: 365,
  } as unknown as Deployment;
  const organisations = {
    getOrganisation: async () => ({ id: 'aaaaaaaaaa' }),
  } as unknown as OrganisationTable;
  const recorder = { record: () => [] } as unknown as Recorder;
  const clock = { ...REAL_CLOCK, pause: async () => undefined };
  const privacy = privacyOperations(organisations, deployment, clock, recorder);
  const tags = await privacy.tagsOf(WALLET, 'NIN', '12345678901');
  await expect(privacy.eraseTags(WALLET, 'NIN', tags)).rejects.toThrow('The table was called.');

  sent.length = 0;
  pepper = { current: 'the second pepper', previous: 'the first pepper' };
  await expect(privacy.eraseTags(WALLET, 'NIN', tags)).rejects.toThrow('The pepper has been rotated');
  expect(sent).toEqual([]);
});
