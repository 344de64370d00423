import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TagScope } from '../../shared/verifications/number-tag.ts';

/** Rows of VerificationLogs as only an operator may touch them: no function can update or delete one. */
export interface LogRows {
  /** The keys of all rows under a number's tag, whether expired or not. Strongly consistent. */
  rowsOf(scope: TagScope, numberTag: string): Promise<Record<string, unknown>[]>;
  /** Moves a row from its number's tag to a random one, without the references that its caller gave. */
  anonymise(scope: TagScope, row: Record<string, unknown>): Promise<void>;
}

const TAG_BYTES = 16;

export function logRows(client: DynamoDBDocumentClient, tableName: string): LogRows {
  const pkOf = ({ env, organisationId }: TagScope, numberTag: string) =>
    `${env}#${organisationId}#${numberTag}`;
  return {
    async rowsOf(scope, numberTag) {
      const rows: Record<string, unknown>[] = [];
      let start: Record<string, unknown> | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: tableName,
            ConsistentRead: true,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': pkOf(scope, numberTag) },
            ExclusiveStartKey: start,
          }),
        );
        rows.push(...(page.Items ?? []));
        start = page.LastEvaluatedKey;
      } while (start);
      return rows;
    },
    async anonymise(scope, { pk, consent: _, reason: __, ...row }) {
      // A tag for each row: not even that two rows are about one person can be told afterwards.
      const nobody = pkOf(scope, `erased.${randomBytes(TAG_BYTES).toString('base64url')}`);
      const items = [
        {
          Put: {
            TableName: tableName,
            Item: { ...row, pk: nobody },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        {
          Delete: {
            TableName: tableName,
            Key: { pk, sk: row['sk'] },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ];
      await client.send(new TransactWriteCommand({ TransactItems: items }));
    },
  };
}
