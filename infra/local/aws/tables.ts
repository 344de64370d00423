import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Deployment } from '../templates/template.ts';

/** The tables of the templates, and their creation in DynamoDB Local. */

const keySchema = v.pipe(
  v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) })),
  v.minLength(1),
);

const indexShape = v.object({
  IndexName: v.string(),
  KeySchema: keySchema,
  Projection: v.object({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.optional(v.array(v.string())),
  }),
});

const tableShape = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(
    v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: v.optional(v.array(indexShape)),
  LocalSecondaryIndexes: v.optional(v.array(indexShape)),
});

const streamShape = v.object({
  StreamSpecification: v.optional(v.object({ StreamViewType: v.literal('NEW_AND_OLD_IMAGES') })),
});

const replicasShape = v.object({
  Replicas: v.optional(
    v.array(v.object({ SSESpecification: v.optional(v.object({ KMSMasterKeyId: v.string() })) })),
    [],
  ),
});

export interface Table {
  readonly name: string;
  readonly arn: string;
  /** The ARN of the customer-managed key that protects the table, if there is one. */
  readonly keyArn?: string | undefined;
  readonly hasStream?: boolean;
  readonly definition: v.InferOutput<typeof tableShape>;
}

/** Returns the tables that the templates declare. */
export function tablesOf(deployment: Deployment): Table[] {
  return deployment.ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable').map((resource) => {
    const properties = deployment.properties(resource);
    const [replica] = v.parse(replicasShape, properties).Replicas;
    return {
      name: deployment.name(resource),
      arn: deployment.arn(resource),
      keyArn: replica?.SSESpecification?.KMSMasterKeyId,
      hasStream: v.parse(streamShape, properties).StreamSpecification !== undefined,
      definition: v.parse(tableShape, properties),
    };
  });
}

/** Returns the ARN of a table's stream. DynamoDB Local generates another one, which no template contains. */
export const streamArn = ({ arn }: Pick<Table, 'arn'>) => `${arn}/stream/local`;

/** Returns the name of the partition key of a table or index. */
export function partitionKey(table: Table, indexName?: string): string | undefined {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [], KeySchema } = table.definition;
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes];
  const schema = indexName ? indexes.find((index) => index.IndexName === indexName)?.KeySchema : KeySchema;
  return schema?.find((key) => key.KeyType === 'HASH')?.AttributeName;
}

/** Creates a table, unless it already exists from an earlier run. */
export async function createTable(
  client: DynamoDBClient,
  { name, definition, hasStream }: Table,
): Promise<void> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const stream = hasStream && { StreamSpecification };
  const input = { TableName: name, BillingMode: 'PAY_PER_REQUEST', ...definition, ...stream };
  try {
    await client.send(new CreateTableCommand(input as CreateTableCommandInput));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    // A table of an earlier version may have no stream.
    const { Table: found } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (stream && !found?.StreamSpecification?.StreamEnabled)
      await client.send(new UpdateTableCommand({ TableName: name, ...stream }));
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.1 }, { TableName: name });
}
