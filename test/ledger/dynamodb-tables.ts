import {
  type AttributeValue,
  DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { FinalizeRequestMiddleware, InitializeMiddleware } from '@smithy/types';
import { connect } from '../../shared/core/database.ts';
import type { Network } from './simulation/network.ts';
import type { Process } from './simulation/process.ts';
import { createTables } from './storage/create-tables.ts';
import {
  type CommandInput,
  type Database,
  type OpenDatabase,
  realTables,
  traitsOf,
} from './storage/database.ts';
import type { Row } from './storage/expressions.ts';
import type { Journal } from './storage/journal.ts';
import type { RowChange } from './storage/memory-store.ts';

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
      expire: async (nowMs) => {
        const gone = journal.rows().filter(({ row }) => Number(row?.['expiresAt']) * 1000 <= nowMs);
        await removeAll(reader, gone);
        journal.add(
          gone.map((change) => ({ ...change, row: null })),
          { isExpiry: true },
        );
      },
      close: async () => {
        idle.push(...used);
        await removeAll(reader, journal.rows());
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
    for (const { middlewareStack: stack } of [this.client, this.onceClient]) {
      const faults: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) =>
        this.pass(args.input as CommandInput, () => next(args));
      stack.add(faults, { name: 'faults', step: 'finalizeRequest', priority: 'low' });
      stack.add(askForRow, { name: 'ask-for-row', step: 'initialize' });
    }
  }

  tables(place: Place, prefix: string) {
    this.place = place;
    return realTables(this.client, this.onceClient, prefix);
  }

  private pass<T extends { output: unknown }>(input: CommandInput, next: () => Promise<T>): Promise<T> {
    const { place } = this;
    if (!place) throw new Error('A client is used by no process.');
    const traits = traitsOf(input);
    const apply = async () => {
      const answer = await next();
      if (traits.isWrite) {
        const row = writtenRow(input, answer.output);
        const changes = row
          ? traits.keys.map((key) => ({ ...key, row }))
          : await readBack(this.reader, traits.keys);
        place.journal.add(changes, traits);
      }
      return answer;
    };
    return place.network.send(place.process, { ...traits, apply });
  }
}

/** Every update tells the whole row that it made, so that the journal need not read it. */
const askForRow: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) => {
  const isUpdate = 'UpdateExpression' in args.input;
  return next(isUpdate ? { ...args, input: { ...args.input, ReturnValues: 'ALL_NEW' } } : args);
};

/** The row of a put, which is encoded here, or of an update, which is decoded already; undefined for a transaction. */
function writtenRow({ Item }: CommandInput, output: unknown): Row | undefined {
  if (Item) return unmarshall(Item as Record<string, AttributeValue>);
  return (output as { Attributes?: Row }).Attributes;
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

async function removeAll(reader: DynamoDBDocumentClient, rows: readonly RowChange[]) {
  for (let first = 0; first < rows.length; first += 25) {
    const requests: Record<string, { DeleteRequest: { Key: { pk: string; sk: string } } }[]> = {};
    for (const { tableName, pk, sk } of rows.slice(first, first + 25)) {
      requests[tableName] = [...(requests[tableName] ?? []), { DeleteRequest: { Key: { pk, sk } } }];
    }
    await reader.send(new BatchWriteCommand({ RequestItems: requests }));
  }
}
