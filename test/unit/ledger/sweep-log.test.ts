import '../../security/environment.ts';

import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { shardKey } from '../../../shared/core/keys.ts';
import { MemoryStore } from '../../ledger/storage/memory-store.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** The log lines of the function `sweep-holds`, over an in-memory store. */

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  WALLETS_TABLE: 'Wallets',
  VERIFICATION_LOGS_TABLE: 'VerificationLogs',
});

let output: CapturedOutput;
const store = new MemoryStore(() => undefined);
beforeAll(() => {
  jest.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async (command: unknown) => {
    if (command instanceof GetCommand && command.input.Key?.['sk'] === 'CHARGE') throw new Error('made up');
    return store.apply(command);
  });
  output = captureOutput();
});
afterAll(() => {
  jest.restoreAllMocks();
});

test('an error line names the organisation, the environment, the shard and the hold', async () => {
  const hold = {
    ...{ requestId: 'req_000000000001', cost: 1, service: 'nin-basic', keyLabel: 'server', numberTag: 'tag' },
    expiresAtMs: 0,
  };
  const shard = { shard: 7, available: 0, credited: 1, holds: { '01KAJ.0': hold } };
  const key = shardKey({ env: 'test', organisationId: 'harmattan0' }, 7);
  store.apply(
    new PutCommand({ TableName: 'Wallets', Item: { ...key, ...shard, walletsKey: 'WALLETS#test' } }),
  );
  const { handler } = await import('../../../functions/sweep-holds.ts');
  await handler(undefined);
  const lines = output.both
    .split('\n')
    .filter((line) => line.includes('The sweeper could not settle a hold.'));

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { organisation: 'harmattan0', env: 'test', shard: 7, hold_id: '01KAJ.0', error_name: 'Error' },
  ]);
});
