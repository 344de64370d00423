import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  CONSOLE_ALERTS,
  CONSOLE_SCHEDULES,
  DELIVER_WEBHOOK,
  START_WEBHOOKS,
} from '../../../infra/console-routes.ts';
import {
  COPY_AUDIT_TRAIL,
  PROBE,
  SANDBOX_REGISTRY,
  SCHEDULES,
  VERSION_CHECK,
} from '../../../infra/routes.ts';
import { connect } from '../../../shared/core/database.ts';
import { logFailure } from '../../../shared/core/log-failure.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { captureOutput } from '../../support/captured-output.ts';

test('a failed run is logged with the position, call and table, and fails', async () => {
  // No server listens on the port.
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  });
  const handler = logFailure(() => shardTable(connect(1), 'Wallets').listShards('live'));
  const output = captureOutput();
  try {
    await expect(handler(undefined, { awsRequestId: 'lambda-1' })).rejects.toThrow('ECONNREFUSED');
  } finally {
    output.restore();
  }
  expect(JSON.parse(output.both)).toMatchObject({
    ...{ level: 'ERROR', message: 'The run failed.', lambda_request_id: 'lambda-1' },
    ...{ call: 'DynamoDB Query', table: 'Wallets' },
    error_at: expect.stringMatching(/shared\/ledger\/tables\/shard-table\.ts:\d+/),
  });
});

test.each([
  ...[...SCHEDULES, ...CONSOLE_SCHEDULES, CONSOLE_ALERTS, START_WEBHOOKS, DELIVER_WEBHOOK],
  ...[COPY_AUDIT_TRAIL, VERSION_CHECK, PROBE, SANDBOX_REGISTRY],
])('the function $name, which no API calls, logs its failures', ({ name }) => {
  const source = readFileSync(`functions/${name.replace(/^console-/, 'console/')}.ts`, 'utf8');
  expect(source).toContain('export const handler = logFailure(');
});
