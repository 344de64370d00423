import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { cancellationCodes } from '../../core/database.ts';
import { creditKey, shardKey, type WalletId } from '../../core/keys.ts';
import { type Credit, credit } from '../rows/credit.ts';
import { statementKeys } from '../statement/statement.ts';

/** Credit rows in Wallets: `<env>#<org>#<reference>` / `CREDIT`, each written in one transaction with its shard. */

/** `exists`: the reference is already used. `short`: the shard cannot cover a negative correction. `conflict`: retry. */
export type CreditResult = 'applied' | 'exists' | 'short' | 'conflict';

export interface CreditTable {
  addCredit(wallet: WalletId, row: Credit): Promise<CreditResult>;
  getCredit(wallet: WalletId, reference: string): Promise<Credit | undefined>;
}

/** `recorder` records changes. Without one, they are not an operator's. */
export function creditTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
): CreditTable {
  const putRow = (wallet: WalletId, row: Credit) => ({
    TableName: tableName,
    Item: {
      ...creditKey(wallet, row.reference),
      ...row,
      ...statementKeys(wallet, row.shard, row.createdAt, row.reference),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const raiseShard = (wallet: WalletId, { shard, amount }: Credit) => ({
    TableName: tableName,
    Key: shardKey(wallet, shard),
    UpdateExpression: 'SET available = available + :amount, credited = credited + :amount',
    ConditionExpression: 'available >= :taken',
    ExpressionAttributeValues: { ':amount': amount, ':taken': Math.max(0, -amount) },
  });
  return {
    async addCredit(wallet, row) {
      const { kind, amount, reason, reference, effectiveAt } = row;
      const { env, organisationId } = wallet;
      const target = `credit ${reference} of the ${env} wallet`;
      const items = [
        { Put: putRow(wallet, row) },
        { Update: raiseShard(wallet, row) },
        ...recorder.record({ organisationId, target, after: { kind, amount, reason, effectiveAt } }),
      ];
      try {
        await client.send(new TransactWriteCommand({ TransactItems: items }));
        return 'applied';
      } catch (error) {
        const codes = cancellationCodes(error);
        if (!codes || codes.slice(2).includes('ConditionalCheckFailed')) throw error;
        if (codes[0] === 'ConditionalCheckFailed') return 'exists';
        return codes[1] === 'ConditionalCheckFailed' ? 'short' : 'conflict';
      }
    },
    async getCredit(wallet, reference) {
      const key = creditKey(wallet, reference);
      const answer = await client.send(
        new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
      );
      return answer.Item && v.parse(credit, answer.Item);
    },
  };
}
