import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/**
 * The smallest function that reads an item with the SDK. The time to import our functions is compared with the time to
 * import it.
 */
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export async function handler(): Promise<object> {
  const { Item } = await client.send(
    new GetCommand({ TableName: 'ApiKeys', Key: { pk: 'none', sk: 'none' } }),
  );
  return { statusCode: Item ? 500 : 200, body: '' };
}
