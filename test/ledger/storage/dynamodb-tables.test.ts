import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../../infra/local/aws/dynamodb-local.ts';
import { emptyCounts } from '../run-histories.ts';
import { Network, NO_FAULTS } from '../simulation/network.ts';
import { Process } from '../simulation/process.ts';
import { seededRandom } from '../simulation/random.ts';
import { World } from '../simulation/world.ts';
import type { OpenDatabase } from './database.ts';
import { openDynamoDbTables } from './dynamodb-tables.ts';
import { Journal } from './journal.ts';

const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
let dynamoDb: DynamoDbLocal;

beforeAll(async () => {
  dynamoDb = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
});

afterAll(async () => {
  await dynamoDb.stop();
  rmSync(directory, { recursive: true });
});

async function history(open: OpenDatabase) {
  const world = new World(0);
  const journal = new Journal(world);
  const random = seededRandom(1);
  const network = new Network(random, NO_FAULTS, emptyCounts());
  const database = await open(network, journal);
  return { world, journal, database, tables: () => database.tables(new Process(world, random)) };
}

test('a history does not apply a call that the SDK began to prepare in the one before it', async () => {
  const open = await openDynamoDbTables(dynamoDb);
  const [first, second] = [await history(open), await history(open)];
  const wallet = { env: 'test', organisationId: 'org_first' } as const;
  void first.tables().shards.createShard(wallet, 0);
  const closed = first.database.close();
  second.tables();
  await closed;
  // The SDK has prepared the call by now, and would send it when the clock moves.
  await sleep(500);
  await second.world.run(60_000);
  expect(second.journal.commits).toEqual([]);
  await second.database.close();
});
