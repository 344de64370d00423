import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { LISTED_ATTRIBUTES } from '../../../shared/verifications/listed-log.ts';
import { LOGS, PAYMENTS, WALLETS } from './journal.ts';

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
      ...shape(['pk', 'sk', 'requestKey', 'timeKey', 'timeSort', 'referenceKey']),
      GlobalSecondaryIndexes: [
        index('byRequest', 'ALL', 'requestKey'),
        index('byTime', LISTED_ATTRIBUTES, 'timeKey', 'timeSort'),
        index('byReference', LISTED_ATTRIBUTES, 'referenceKey', 'timeSort'),
      ],
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: prefix + PAYMENTS,
      ...shape(['pk', 'sk', 'dueKey', 'dueSort', 'ordersKey', 'ordersSort']),
      GlobalSecondaryIndexes: [
        index('due', 'KEYS_ONLY', 'dueKey', 'dueSort'),
        index('orders', 'ALL', 'ordersKey', 'ordersSort'),
      ],
    }),
  );
}

/** Returns the input that creates a table without indexes. */
export const tableWithoutIndexes = (TableName: string) => ({ TableName, ...shape(['pk', 'sk']) });

function shape(names: readonly string[]) {
  return {
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys('pk', 'sk'),
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
  } satisfies Partial<CreateTableCommandInput>;
}

function index(
  name: string,
  projection: 'ALL' | 'KEYS_ONLY' | readonly string[],
  partition: string,
  sort?: string,
) {
  return {
    IndexName: name,
    KeySchema: keys(partition, sort),
    Projection:
      typeof projection === 'string'
        ? { ProjectionType: projection }
        : { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...projection] },
  };
}

function keys(partition: string, sort?: string) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' as const }] : []),
  ];
}
