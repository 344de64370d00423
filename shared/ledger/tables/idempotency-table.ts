import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { rowOfFailedCondition, wasApplied } from '../../core/database.ts';
import { idempotencyKey, type WalletId } from '../../core/keys.ts';
import { ERASED_FINGERPRINT, type Idempotency, idempotency, MAX_REPLAYS } from '../rows/idempotency.ts';

/** Idempotency rows in Wallets: `<env>#<org>#<sha256 of route and key>` / `IDEMPOTENCY`. */
export interface IdempotencyTable {
  /** Writes the row if there is none. Returns the stored row. */
  claim(wallet: WalletId, keyHash: string, row: Idempotency): Promise<Idempotency>;
  /** Makes `row` the current attempt if `stored` still is. Returns whether `row` is current now. */
  takeOver(wallet: WalletId, keyHash: string, row: Idempotency, stored: Idempotency): Promise<boolean>;
  /** Counts one free replay. Returns false if all are used up or another attempt is current. */
  countReplay(wallet: WalletId, keyHash: string, operationId: string, replayId: string): Promise<boolean>;
  /** Returns a counted replay to the allowance, because its response contained no record. */
  returnReplay(wallet: WalletId, keyHash: string, operationId: string, replayId: string): Promise<void>;
  /** Clears the fingerprint, unless the current attempt began after this time. */
  eraseFingerprint(wallet: WalletId, keyHash: string, erasedAtMs: number): Promise<void>;
}

/** Every write here can safely be retried. */
export function idempotencyTable(client: DynamoDBDocumentClient, tableName: string): IdempotencyTable {
  const change = (
    wallet: WalletId,
    keyHash: string,
    expression: string,
    condition: string,
    values: object,
  ) => {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: idempotencyKey(wallet, keyHash),
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: { ...values },
    });
    return wasApplied(client.send(command));
  };
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
        const stored = rowOfFailedCondition(error);
        if (!stored) throw error;
        return v.parse(idempotency, stored);
      }
    },
    async takeOver(wallet, keyHash, row, stored) {
      const fields = Object.keys(row);
      const command = new UpdateCommand({
        TableName: tableName,
        Key: idempotencyKey(wallet, keyHash),
        UpdateExpression: `SET ${fields.map((field) => `${field} = :${field}`).join(', ')} REMOVE replays`,
        // An erasure may clear the fingerprint in the meantime. The key then accepts no new attempt.
        ConditionExpression: 'operationId = :old AND fingerprint = :seen',
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(row).map(([field, value]) => [`:${field}`, value])),
          ':old': stored.operationId,
          ':seen': stored.fingerprint,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await client.send(command);
        return true;
      } catch (error) {
        const current = rowOfFailedCondition(error);
        if (!current) throw error;
        // If the first send was applied but its response was lost, the row is already the current attempt.
        return current['operationId'] === row.operationId;
      }
    },
    countReplay(wallet, keyHash, operationId, replayId) {
      const room = 'attribute_not_exists(replays) OR size(replays) < :max OR contains(replays, :id)';
      return change(wallet, keyHash, 'ADD replays :replay', `operationId = :operation AND (${room})`, {
        ':operation': operationId,
        ':max': MAX_REPLAYS,
        ':id': replayId,
        ':replay': new Set([replayId]),
      });
    },
    async returnReplay(wallet, keyHash, operationId, replayId) {
      await change(wallet, keyHash, 'DELETE replays :replay', 'operationId = :operation', {
        ':operation': operationId,
        ':replay': new Set([replayId]),
      });
    },
    async eraseFingerprint(wallet, keyHash, erasedAtMs) {
      // Until the row expires, all attempts under a key are the same request, so it does not matter which is current.
      await change(wallet, keyHash, 'SET fingerprint = :erased', 'startedAtMs <= :erasedAtMs', {
        ':erasedAtMs': erasedAtMs,
        ':erased': ERASED_FINGERPRINT,
      });
    },
  };
}
