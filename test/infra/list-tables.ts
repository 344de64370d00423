import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

/** A minimal use of the SDK, which bundle.test.ts bundles like a function. */
export async function listTables(endpoint: string): Promise<string[] | undefined> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  return TableNames;
}
