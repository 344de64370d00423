import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row } from '../../core/database.ts';
import { chargeKey, type WalletId } from '../../core/keys.ts';
import { type Charge, charge } from '../rows/charge.ts';
import { shardTable } from '../tables/shard-table.ts';
import type { WalletReading } from './wallet-totals.ts';

/** Reads all rows of Wallets and VerificationLogs consistently. Of the functions, only the reconciler may scan them. */
export type ReconcileTable = ReturnType<typeof reconcileTable>;

export function reconcileTable(client: DynamoDBDocumentClient, walletsTable: string, logsTable: string) {
  const shardsOf = shardTable(client, walletsTable);

  async function* scan(TableName: string): AsyncGenerator<readonly Row[]> {
    const pages = paginateScan({ client }, { TableName, ConsistentRead: true });
    for await (const page of pages) yield page.Items ?? [];
  }

  return {
    async readShards(wallet: WalletId, shardCount: number): Promise<WalletReading> {
      const fromMs = Date.now();
      const refs = Array.from({ length: shardCount }, (_, shard) => ({ wallet, shard }));
      // A busy wallet of several shards may not allow a snapshot. Each shard is then read separately.
      const snapshot = await shardsOf.snapshot(wallet, shardCount);
      const shards = snapshot ?? (await shardsOf.getShards(refs)).map(({ row }) => row);
      return { fromMs, toMs: Date.now(), shards };
    },
    /** Returns all items of Wallets in pages, unparsed. */
    walletsPages: (): AsyncGenerator<readonly Row[]> => scan(walletsTable),
    /** Returns all items of VerificationLogs in pages, unparsed. */
    logPages: (): AsyncGenerator<readonly Row[]> => scan(logsTable),
    /** Returns the charge rows of these operations, without those that are missing or unreadable. */
    async findCharges(wallet: WalletId, operationIds: readonly string[]): Promise<Charge[]> {
      const keys = [...new Set(operationIds)].map((id) => chargeKey(wallet, id));
      const rows = await batchGet(client, walletsTable, keys);
      return rows.flatMap((row) => {
        const parsed = v.safeParse(charge, row);
        return parsed.success ? parsed.output : [];
      });
    },
  };
}
