import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { refusedRow, wasApplied } from '../core/database.ts';
import { type Idempotency, idempotency, MAX_REPLAYS } from './idempotency.ts';
import type { WalletId } from './wallet.ts';

/** Idempotency rows in Wallets: `<env>#<org>#<sha256 of route and key>` / `IDEMPOTENCY`. */
export interface IdempotencyTable {
  /** Puts the row if there is none, and returns the row that stands. */
  claim(wallet: WalletId, keyHash: string, row: Idempotency): Promise<Idempotency>;
  /** Makes `row` the current attempt, if that is still `oldOperationId`. Returns whether `row` is current now. */
  takeOver(wallet: WalletId, keyHash: string, row: Idempotency, oldOperationId: string): Promise<boolean>;
  /** Counts one free replay. False where all are used up, or another attempt is current. */
  countReplay(wallet: WalletId, keyHash: string, operationId: string): Promise<boolean>;
  /** Gives a counted replay back, because it handed over no data. */
  giveReplayBack(wallet: WalletId, keyHash: string, operationId: string): Promise<void>;
}

const idempotencyKey = (wallet: WalletId, keyHash: string) => ({
  pk: `${wallet.env}#${wallet.organisationId}#${keyHash}`,
  sk: 'IDEMPOTENCY',
});

/**
 * `onceClient` sends the give-back, which must not be repeated: twice applied, it would make a fourth replay free.
 * All other writes are safe to repeat; a replay counted twice only counts too many.
 */
export function idempotencyTable(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  tableName: string,
): IdempotencyTable {
  const update = (
    key: ReturnType<typeof idempotencyKey>,
    expression: string,
    condition: string,
    values: object,
  ) =>
    new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: { ...values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  return {
    async claim(wallet, keyHash, row) {
      try {
        await client.send(
          new PutCommand({
            TableName: tableName,
            Item: { ...idempotencyKey(wallet, keyHash), ...row },
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return row;
      } catch (error) {
        const standing = refusedRow(error);
        if (!standing) throw error;
        return v.parse(idempotency, standing);
      }
    },
    async takeOver(wallet, keyHash, row, oldOperationId) {
      const fields = Object.keys(row);
      const command = new UpdateCommand({
        TableName: tableName,
        Key: idempotencyKey(wallet, keyHash),
        UpdateExpression: `SET ${fields.map((field) => `${field} = :${field}`).join(', ')}`,
        ConditionExpression: 'operationId = :old',
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(row).map(([field, value]) => [`:${field}`, value])),
          ':old': oldOperationId,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await client.send(command);
        return true;
      } catch (error) {
        const standing = refusedRow(error);
        if (!standing) throw error;
        // Our own lost answer: the first send was applied.
        return standing['operationId'] === row.operationId;
      }
    },
    countReplay(wallet, keyHash, operationId) {
      const condition = 'operationId = :operation AND replays < :max';
      const values = { ':operation': operationId, ':max': MAX_REPLAYS, ':one': 1 };
      const command = update(
        idempotencyKey(wallet, keyHash),
        'SET replays = replays + :one',
        condition,
        values,
      );
      return wasApplied(client.send(command));
    },
    async giveReplayBack(wallet, keyHash, operationId) {
      const condition = 'operationId = :operation AND replays > :zero';
      const values = { ':operation': operationId, ':zero': 0, ':one': 1 };
      const command = update(
        idempotencyKey(wallet, keyHash),
        'SET replays = replays - :one',
        condition,
        values,
      );
      await wasApplied(onceClient.send(command));
    },
  };
}
