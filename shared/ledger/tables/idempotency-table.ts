import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, rowOfFailedCondition, wasApplied } from '../../core/database.ts';
import { idempotencyKey, keyHashOf, type WalletId } from '../../core/keys.ts';
import { ERASED_FINGERPRINT, type Idempotency, idempotency, MAX_REPLAYS } from '../rows/idempotency.ts';

/** Idempotency rows in Wallets: `<env>#<org>#<sha256 of route and key>` / `IDEMPOTENCY`. */
export type IdempotencyTable = ReturnType<typeof idempotencyTable>;

/** Every write here can safely be retried. */
export function idempotencyTable(client: DynamoDBDocumentClient, tableName: string) {
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
    /** Writes the row if there is none. Returns the stored row. */
    async claim(wallet: WalletId, keyHash: string, row: Idempotency): Promise<Idempotency> {
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
    /** Returns the rows of these keys, by their hash. Strongly consistent. */
    async find(wallet: WalletId, keyHashes: readonly string[]): Promise<ReadonlyMap<string, Idempotency>> {
      const keys = keyHashes.map((keyHash) => idempotencyKey(wallet, keyHash));
      const rows = await batchGet(client, tableName, keys);
      return new Map(rows.map((row) => [keyHashOf(String(row['pk'])), v.parse(idempotency, row)]));
    },
    /** Makes `row` the current attempt if `stored` still is. Returns whether `row` is current now. */
    async takeOver(wallet: WalletId, keyHash: string, row: Idempotency, stored: Idempotency) {
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
    /** Counts one free replay. Returns false if all are used up or another attempt is current. */
    countReplay(wallet: WalletId, keyHash: string, operationId: string, replayId: string) {
      const room = 'attribute_not_exists(replays) OR size(replays) < :max OR contains(replays, :id)';
      return change(wallet, keyHash, 'ADD replays :replay', `operationId = :operation AND (${room})`, {
        ':operation': operationId,
        ':max': MAX_REPLAYS,
        ':id': replayId,
        ':replay': new Set([replayId]),
      });
    },
    /** Returns a counted replay to the allowance, because its response contained no record. */
    async returnReplay(wallet: WalletId, keyHash: string, operationId: string, replayId: string) {
      await change(wallet, keyHash, 'DELETE replays :replay', 'operationId = :operation', {
        ':operation': operationId,
        ':replay': new Set([replayId]),
      });
    },
    /** Clears the fingerprint, unless the current attempt began after this time. */
    async eraseFingerprint(wallet: WalletId, keyHash: string, erasedAtMs: number) {
      // Until the row expires, all attempts under a key are the same request, so it does not matter which is current.
      await change(wallet, keyHash, 'SET fingerprint = :erased', 'startedAtMs <= :erasedAtMs', {
        ':erasedAtMs': erasedAtMs,
        ':erased': ERASED_FINGERPRINT,
      });
    },
  };
}
