import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, paginateQuery, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { collectRows } from '../../shared/core/database.ts';
import { logPk, type WalletId } from '../../shared/core/keys.ts';

/** Rows of VerificationLogs as only an operator may touch them: no function can update or delete one. */
export interface LogRows {
  /** The keys of all rows under a number's tag, whether expired or not. Strongly consistent. */
  rowsOf(scope: WalletId, numberTag: string): Promise<Record<string, unknown>[]>;
  /** Moves a row from its number's tag to a random one, without the references that its caller gave. */
  anonymise(scope: WalletId, row: Record<string, unknown>): Promise<void>;
}

const TAG_BYTES = 16;

export function logRows(client: DynamoDBDocumentClient, tableName: string): LogRows {
  return {
    rowsOf(scope, numberTag) {
      const query = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': logPk(scope, numberTag) },
      };
      return collectRows(paginateQuery({ client }, query));
    },
    async anonymise(scope, { pk, consent: _, reason: __, ...row }) {
      // A tag for each row: not even that two rows are about one person can be told afterwards.
      const nobody = logPk(scope, `erased.${randomBytes(TAG_BYTES).toString('base64url')}`);
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
