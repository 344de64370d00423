import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, getRow, rowOfFailedCondition } from '../../core/database.ts';
import { chargeKey, type WalletId } from '../../core/keys.ts';
import { type Charge, charge, VOID_LIFE_SECONDS } from '../rows/charge.ts';
import { statementKeys } from '../statement/statement.ts';

/** Charge rows in Wallets: `<env>#<org>#<operation id>` / `CHARGE`, written once. */
export type ChargeTable = ReturnType<typeof chargeTable>;

/** Returns the item of a row. Only CHARGED rows are in the statement, and only VOID rows expire. */
function itemOf(wallet: WalletId, row: Charge) {
  const key = chargeKey(wallet, row.operationId);
  if (row.state === 'CHARGED')
    return { ...key, ...row, ...statementKeys(wallet, row.shard ?? 0, row.decidedAt, row.operationId) };
  return { ...key, ...row, expiresAt: Math.floor(Date.parse(row.decidedAt) / 1000) + VOID_LIFE_SECONDS };
}

/** Strongly consistent, in any order. */
export async function readCharges(
  client: DynamoDBDocumentClient,
  tableName: string,
  wallet: WalletId,
  operationIds: readonly string[],
): Promise<Charge[]> {
  const keys = operationIds.map((operationId) => chargeKey(wallet, operationId));
  return (await batchGet(client, tableName, keys)).map((row) => v.parse(charge, row));
}

/**
 * `client` may retry calls. `onceClient` must not retry, because a function that was frozen could then charge after its
 * deadline.
 */
export function chargeTable(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  tableName: string,
) {
  return {
    /**
     * Writes the row if the operation has none. Returns the stored row: this one, or the one written first. Throws if
     * no response arrived: the row may or may not be stored. Sends CHARGED once, because the caller must check the time
     * before each send.
     */
    async decide(wallet: WalletId, row: Charge): Promise<Charge> {
      // VOID may be late, because it never changes a decision.
      const sender = row.state === 'CHARGED' ? onceClient : client;
      try {
        await sender.send(
          new PutCommand({
            TableName: tableName,
            Item: itemOf(wallet, row),
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return row;
      } catch (error) {
        const stored = rowOfFailedCondition(error);
        if (!stored) throw error;
        return v.parse(charge, stored);
      }
    },
    async getCharge(wallet: WalletId, operationId: string): Promise<Charge | undefined> {
      const row = await getRow(client, tableName, chargeKey(wallet, operationId));
      return row && v.parse(charge, row);
    },
    getCharges: (wallet: WalletId, operationIds: readonly string[]): Promise<Charge[]> =>
      readCharges(client, tableName, wallet, operationIds),
  };
}
