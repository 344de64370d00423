import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { LOGS, WALLETS } from './journal.ts';

/** Creates the tables of the ledger with the keys and indexes of the data stack. */
export async function createTables(client: DynamoDBClient, prefix: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: prefix + WALLETS,
      ...shape(['pk', 'sk', 'statementKey', 'statementSort', 'walletsKey']),
      GlobalSecondaryIndexes: [
        index('statement', 'ALL', 'statementKey', 'statementSort'),
        index('wallets', 'KEYS_ONLY', 'walletsKey', 'pk'),
      ],
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: prefix + LOGS,
      ...shape(['pk', 'sk', 'requestKey']),
      GlobalSecondaryIndexes: [index('byRequest', 'ALL', 'requestKey')],
    }),
  );
}

function shape(names: readonly string[]) {
  return {
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys('pk', 'sk'),
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
  } satisfies Partial<CreateTableCommandInput>;
}

function index(name: string, projection: 'ALL' | 'KEYS_ONLY', partition: string, sort?: string) {
  return {
    IndexName: name,
    KeySchema: keys(partition, sort),
    Projection: { ProjectionType: projection },
  };
}

function keys(partition: string, sort?: string) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' as const }] : []),
  ];
}
