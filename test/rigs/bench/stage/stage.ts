import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDbLocalOptions, startDynamoDbLocal } from '../../../../infra/local/aws/dynamodb-local.ts';
import { createDemoOrganisation } from '../../../../infra/local/demo-organisation.ts';
import { type Listening, listen } from '../../../../infra/local/http-server.ts';
import { testTrafficOf } from '../../../../infra/stages/capacity.ts';
import { local } from '../../../../infra/stages/local.ts';
import { REAL_CLOCK } from '../../../../shared/core/clock.ts';
import { setting } from '../../../../shared/core/config.ts';
import { connect } from '../../../../shared/core/database.ts';
import { creditTable } from '../../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../../shared/ledger/tables/shard-table.ts';
import { creditWithLot } from '../../../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../../../shared/payments/lots/lot-table.ts';
import { createTables, tableWithoutIndexes } from '../../../ledger/storage/create-tables.ts';
import { startSandbox } from '../../../support/sandbox-server.ts';

/**
 * The environment of one function, without the rest of the service: the tables in DynamoDB Local, a registry and the
 * secrets. It starts fast, and nothing is between the function and what it calls.
 */
export interface Stage {
  readonly environment: Readonly<Record<string, string>>;
  readonly organisationId: string;
  /** A live and a test key of an approved organisation with every service and a million credits in each wallet. */
  readonly live: string;
  readonly test: string;
  close(): Promise<void>;
}

const SECRET = randomBytes(32).toString('hex');
const CREDITS = 1_000_000;

/** Starts a stage. Also sets the environment of this process, so that table modules and functions work in it. */
export async function openStage({ isLarge }: Pick<DynamoDbLocalOptions, 'isLarge'> = {}): Promise<Stage> {
  const cleanup = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'stage-'));
  cleanup.defer(() => rmSync(directory, { recursive: true }));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log'), isLarge });
  cleanup.defer(() => database.stop());
  const sandbox = await startSandbox(SECRET);
  cleanup.defer(() => sandbox.stop());
  const secrets = await startSecretsOf(SECRET);
  cleanup.defer(() => secrets.close());
  const environment = {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: database.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    STAGE: 'local',
    POWERTOOLS_SERVICE_NAME: 'bench',
    API_KEYS_TABLE: 'ApiKeys',
    WALLETS_TABLE: 'Wallets',
    PAYMENTS_TABLE: 'Payments',
    VERIFICATION_LOGS_TABLE: 'VerificationLogs',
    AUDIT_TRAIL_TABLE: 'AuditTrail',
    CONSOLE_TABLE: 'Console',
    PEPPER_SECRET: 'pepper',
    SANDBOX_SECRET: 'sandbox',
    SLIP_SECRET: 'slip',
    SANDBOX_URL: sandbox.url,
    REGISTRIES: '{"NIN":["sandbox"]}',
    LOW_BALANCE_CREDITS: '1',
    TEST_TRAFFIC: JSON.stringify(testTrafficOf(local)),
    DATABASE_TIMEOUT_MS: '8000',
    SANDBOX_KEY: SECRET,
  };
  Object.assign(process.env, environment);
  const client = new DynamoDBClient({});
  cleanup.defer(() => client.destroy());
  await createTables(client, '');
  // The demo organisation has members, whose invitations are in the audit trail.
  for (const name of ['ApiKeys', 'AuditTrail', 'Console'])
    await client.send(new CreateTableCommand(tableWithoutIndexes(name)));
  const { organisation: organisationId, live, test } = await createDemoOrganisation(client, environment);
  for (const env of ['live', 'test'] as const) await topUp({ env, organisationId });
  return {
    environment,
    organisationId,
    live: live.apiKey,
    test: test.apiKey,
    close: () => cleanup.disposeAsync(),
  };
}

/** Adds a million credits, in the tables that the environment names. */
export async function topUp(wallet: { env: 'live' | 'test'; organisationId: string }): Promise<void> {
  const client = connect();
  const table = setting('WALLETS_TABLE');
  const payments = setting('PAYMENTS_TABLE');
  const tables = {
    credits: creditTable(client, { wallets: table, payments }),
    shards: shardTable(client, table),
    lots: lotTable(client, payments),
  };
  const reference = `bench-${wallet.organisationId}`;
  const order = { reference, kind: 'TOP_UP', amount: CREDITS, actor: 'bench', reason: '' } as const;
  await creditWithLot(wallet, 1, order, tables, REAL_CLOCK);
}

export function startSecretsOf(secret: string): Promise<Listening> {
  const answer = JSON.stringify({ SecretString: JSON.stringify({ current: secret }) });
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.1').end(answer);
  });
  return listen(server);
}
