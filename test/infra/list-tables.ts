import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

/** The smallest use of the SDK, bundled like a function by the test of the bundles. */
export async function listTables(endpoint: string): Promise<string[] | undefined> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  return TableNames;
}
