import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { connect } from '../../../shared/core/database.ts';
import type { Network } from '../simulation/network.ts';
import type { Process } from '../simulation/process.ts';
import { createTables } from './create-tables.ts';
import { type CommandInput, type Database, type OpenDatabase, realTables, traitsOf } from './database.ts';
import { type Journal, LOGS, WALLETS } from './journal.ts';
import type { RowChange } from './memory-store.ts';

/**
 * The ledger's tables in DynamoDB Local, through the real SDK with its own retries. Faults sit in the SDK's
 * middleware stack, under its retries: each attempt is a send of its own. One history at a time for each opener.
 */
export async function dynamodbOpener(at: { endpoint: string; accessKeyId: string }): Promise<OpenDatabase> {
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ENDPOINT_URL_DYNAMODB: at.endpoint,
    AWS_ACCESS_KEY_ID: at.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const prefix = `h${crypto.randomUUID().slice(0, 8)}-`;
  const plain = new DynamoDBClient({});
  await createTables(plain, prefix);
  const reader = DynamoDBDocumentClient.from(plain);
  const idle: FaultyClients[] = [];
  return async (network, journal) => {
    // The SDK's waits between tries are drawn too: the seed must repeat them.
    Math.random = () => network.draw();
    const used: FaultyClients[] = [];
    return {
      tables: (process) => {
        const clients = idle.pop() ?? new FaultyClients(reader);
        used.push(clients);
        return clients.tables({ process, network, journal }, prefix);
      },
      expire: async (nowMs) => journal.add(await expire(reader, prefix, nowMs), { isExpiry: true }),
      close: async () => {
        idle.push(...used);
        await removeAll(reader, prefix, await allRows(reader, prefix));
      },
    } satisfies Database;
  };
}

interface Place {
  readonly process: Process;
  readonly network: Network;
  readonly journal: Journal;
}

/** The two clients of a function instance. They outlive it, since their connections cost more than a history. */
class FaultyClients {
  private place: Place | undefined;
  private readonly reader: DynamoDBDocumentClient;
  private readonly client = connect();
  private readonly onceClient = connect(1);

  constructor(reader: DynamoDBDocumentClient) {
    this.reader = reader;
    for (const client of [this.client, this.onceClient])
      client.middlewareStack.add((next) => (args) => this.pass(args.input as CommandInput, () => next(args)), {
        name: 'faults',
        step: 'finalizeRequest',
        priority: 'low',
      });
  }

  tables(place: Place, prefix: string) {
    this.place = place;
    return realTables(this.client, this.onceClient, prefix);
  }

  private pass<T>(input: CommandInput, next: () => Promise<T>): Promise<T> {
    const { place } = this;
    if (!place) throw new Error('A client is used by no process.');
    const traits = traitsOf(input);
    const apply = async () => {
      const answer = await next();
      if (traits.isWrite) place.journal.add(await readBack(this.reader, traits.keys), traits);
      return answer;
    };
    return place.network.send(place.process, { ...traits, apply });
  }
}

/** What a write left: everything else waits meanwhile, so it is what the write made. */
async function readBack(
  reader: DynamoDBDocumentClient,
  keys: readonly { tableName: string; pk: string; sk: string }[],
): Promise<RowChange[]> {
  const tableName = keys[0]?.tableName ?? '';
  const wanted = keys.map(({ pk, sk }) => ({ pk, sk }));
  const answer = await reader.send(
    new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } }),
  );
  const rows = answer.Responses?.[tableName] ?? [];
  return keys.map((key) => ({
    ...key,
    row: rows.find((row) => row['pk'] === key.pk && row['sk'] === key.sk) ?? null,
  }));
}

async function allRows(reader: DynamoDBDocumentClient, prefix: string): Promise<RowChange[]> {
  const changes: RowChange[] = [];
  for (const tableName of [prefix + WALLETS, prefix + LOGS]) {
    const { Items = [] } = await reader.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    changes.push(...Items.map((row) => ({ tableName, pk: String(row['pk']), sk: String(row['sk']), row })));
  }
  return changes;
}

async function expire(reader: DynamoDBDocumentClient, prefix: string, nowMs: number): Promise<RowChange[]> {
  const rows = await allRows(reader, prefix);
  const gone = rows.filter(({ row }) => Number(row?.['expiresAt']) * 1000 <= nowMs);
  await removeAll(reader, prefix, gone);
  return gone.map((change) => ({ ...change, row: null }));
}

async function removeAll(reader: DynamoDBDocumentClient, prefix: string, rows: readonly RowChange[]) {
  for (const tableName of [prefix + WALLETS, prefix + LOGS]) {
    const mine = rows.filter((row) => row.tableName === tableName);
    for (let first = 0; first < mine.length; first += 25) {
      const requests = mine
        .slice(first, first + 25)
        .map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
      await reader.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }
  }
}
