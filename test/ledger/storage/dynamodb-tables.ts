import {
  type AttributeValue,
  DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { FinalizeRequestMiddleware, InitializeMiddleware } from '@smithy/types';
import { connect } from '../../../shared/core/database.ts';
import type { Network } from '../simulation/network.ts';
import type { Process } from '../simulation/process.ts';
import { createTables } from './create-tables.ts';
import { type CommandInput, type Database, type OpenDatabase, realTables, traitsOf } from './database.ts';
import type { Row } from './expressions.ts';
import type { Journal } from './journal.ts';
import type { RowChange } from './memory-store.ts';

/**
 * Creates the ledger's tables in DynamoDB Local. Returns a function that opens them for one history at a time, through
 * the real SDK with its own retries. Faults are injected in the SDK's middleware stack below the retries, so each
 * attempt can fail separately.
 */
export async function openDynamoDbTables(at: {
  endpoint: string;
  accessKeyId: string;
}): Promise<OpenDatabase> {
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ENDPOINT_URL_DYNAMODB: at.endpoint,
    AWS_ACCESS_KEY_ID: at.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    // Only injected faults may cut a call off: a write that lands after a real timeout looks like a violation.
    DATABASE_TIMEOUT_MS: '120000',
  });
  const prefix = `h${crypto.randomUUID().slice(0, 8)}-`;
  const plain = new DynamoDBClient({});
  await createTables(plain, prefix);
  const reader = DynamoDBDocumentClient.from(plain);
  const idle: FaultyClients[] = [];
  return async (network, journal) => {
    // The SDK's waits between attempts are random too. The seed must determine them.
    Math.random = () => network.nextRandom();
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

/** The process that a client belongs to, and where its calls and writes go. */
interface Context {
  readonly process: Process;
  readonly network: Network;
  readonly journal: Journal;
}

/** The two clients of a process. They are reused, because opening connections takes longer than a history. */
class FaultyClients {
  private context: Context | undefined;
  private readonly reader: DynamoDBDocumentClient;
  private readonly client = connect();
  private readonly onceClient = connect(1);

  constructor(reader: DynamoDBDocumentClient) {
    this.reader = reader;
    for (const { middlewareStack: stack } of [this.client, this.onceClient]) {
      const faults: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> = (
        next,
        { commandName },
      ) => {
        // Read when the command is sent. By the time the SDK has prepared the call, its history may have ended, and
        // these clients may belong to the next one, which must not apply it.
        const { context } = this;
        return (args) => {
          const traits = traitsOf(args.input as CommandInput, commandName === 'DeleteItemCommand');
          return this.send(context, args.input as CommandInput, traits, () => next(args));
        };
      };
      stack.add(faults, { name: 'faults', step: 'finalizeRequest', priority: 'low' });
      stack.add(requestNewRow, { name: 'request-new-row', step: 'initialize' });
    }
  }

  tables(context: Context, prefix: string) {
    this.context = context;
    return realTables(this.client, this.onceClient, prefix);
  }

  private send<T extends { output: unknown }>(
    context: Context | undefined,
    input: CommandInput,
    traits: ReturnType<typeof traitsOf>,
    next: () => Promise<T>,
  ): Promise<T> {
    if (!context) throw new Error('The client has no process.');
    const begunMs = context.process.clock.nowMs();
    const apply = async () => {
      const response = await next();
      if (traits.isWrite) {
        const row = writtenRow(input, response.output);
        const changes = row
          ? traits.keys.map((key) => ({ ...key, row }))
          : await readBack(this.reader, traits.keys);
        context.journal.add(changes, { ...traits, begunMs });
      }
      return response;
    };
    return context.network.send(context.process, { ...traits, apply });
  }
}

/** Requests the new row from each update, so that the journal does not have to read it. */
const requestNewRow: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) => {
  const isUpdate = 'UpdateExpression' in args.input;
  return next(isUpdate ? { ...args, input: { ...args.input, ReturnValues: 'ALL_NEW' } } : args);
};

/** Returns the row of a put (still encoded) or of an update (already decoded). Otherwise, returns undefined. */
function writtenRow({ Item }: CommandInput, output: unknown): Row | undefined {
  if (Item) return unmarshall(Item as Record<string, AttributeValue>);
  return (output as { Attributes?: Row }).Attributes;
}

/** Reads the rows that a transaction or deletion has changed. No other write runs in the meantime. */
async function readBack(
  reader: DynamoDBDocumentClient,
  keys: readonly { tableName: string; pk: string; sk: string }[],
): Promise<RowChange[]> {
  const tableName = keys[0]?.tableName ?? '';
  const wanted = keys.map(({ pk, sk }) => ({ pk, sk }));
  const response = await reader.send(
    new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } }),
  );
  const rows = response.Responses?.[tableName] ?? [];
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
