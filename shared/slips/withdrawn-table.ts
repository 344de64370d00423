import { createHmac } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { getRow } from '../core/database.ts';
import { put, where } from '../core/expressions.ts';
import { slipWithdrawalKey } from '../core/keys.ts';

/**
 * Returns the name of a slip's row. `reference` is the random part of its request ID, which tokens of every version
 * contain.
 */
export function nameOfWithdrawal(reference: string, key: string): string {
  return createHmac('sha256', key).update('slip-withdrawal.v1').update(reference).digest('base64url');
}

/**
 * The slips that were withdrawn, in ApiKeys. A row expires with its slip. Its key reveals neither the request nor the
 * person.
 */
export type WithdrawnTable = ReturnType<typeof withdrawnTable>;

export function withdrawnTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    isWithdrawn: async (name: string) =>
      (await getRow(client, tableName, slipWithdrawalKey(name))) !== undefined,
    /** `expiresAt` is in epoch seconds. `record`, for the audit trail, is not written for a repetition. */
    async withdraw(names: readonly string[], expiresAt: number, record: readonly TransactItem[]) {
      const isEarlier = where`attribute_not_exists(pk) OR expiresAt < ${expiresAt}`;
      const rows = names.map((name) => put(tableName, { ...slipWithdrawalKey(name), expiresAt }, isEarlier));
      if (await applyRecorded(client, rows, record)) return;
      // A copy may have been signed with a new key since.
      for (const row of rows) await applyRecorded(client, [row], []);
    },
  };
}
