import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../core/database.ts';
import { limiterKey, organisationLimiterKey, type WalletId } from '../core/keys.ts';
import { type KeyUsage, keyUsageOf } from './key-usage.ts';
import { REJECTED_KEYS } from './rejected-key-table.ts';
import { total } from './windowed-counter.ts';

export type KeyUsageTable = ReturnType<typeof keyUsageTable>;

export function keyUsageTable(client: DynamoDBDocumentClient, tableName: string) {
  async function readRows(keys: readonly { pk: string; sk: string }[]) {
    const rows = await batchGet(client, tableName, keys);
    return new Map(rows.map((row) => [String(row['pk']), row]));
  }
  return {
    /** Returns the use of these keys, by hash. Keys that have never been used are missing. */
    async readKeyUsage(keyHashes: readonly string[], nowMs: number): Promise<Map<string, KeyUsage>> {
      const rows = await readRows(keyHashes.map(limiterKey));
      return new Map(
        keyHashes.flatMap((hash) => {
          const row = rows.get(limiterKey(hash).pk);
          return row ? [[hash, keyUsageOf(row, nowMs)] as const] : [];
        }),
      );
    },
    /**
     * Returns, for each wallet, how many requests with keys that name it were rejected in the last 10 to 20 minutes.
     */
    async readRejections(wallets: readonly WalletId[], nowMs: number): Promise<number[]> {
      const keys = wallets.map(organisationLimiterKey);
      const rows = await readRows(keys);
      return keys.map(({ pk }) => total(REJECTED_KEYS, rows.get(pk) ?? {}, nowMs));
    },
  };
}
