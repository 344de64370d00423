import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';

/** The settings of a running local service (`adminAwsEnvironment`). */
export type ServiceEnvironment = Readonly<Record<string, string>>;

/** Returns a setting. Throws if it is missing. */
export function settingFrom(environment: ServiceEnvironment, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`The local service has no ${name}.`);
  return value;
}

/** Calls `use` with a client for the tables of a running local service. */
export async function withServiceClient<T>(
  environment: ServiceEnvironment,
  use: (client: DynamoDBDocumentClient) => Promise<T>,
): Promise<T> {
  const client = new DynamoDBClient({
    ...EXPLICIT_SETTINGS,
    region: settingFrom(environment, 'AWS_REGION'),
    endpoint: settingFrom(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
    credentials: {
      accessKeyId: settingFrom(environment, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: settingFrom(environment, 'AWS_SECRET_ACCESS_KEY'),
    },
  });
  try {
    return await use(
      DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    );
  } finally {
    client.destroy();
  }
}
