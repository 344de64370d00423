import {
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { batchGet, cancellationCodes, collectRows, getRow, wasApplied } from '../../core/database.ts';
import { type ShardRef, shardKey, shardRefOf, type WalletId, walletsIndexKey } from '../../core/keys.ts';
import { withoutSpent } from '../rows/charge.ts';
import { operationIdOf, type Transfer, type WalletShard } from '../rows/wallet.ts';
import { readCharges } from './charge-table.ts';
import { parseShard } from './wallet-table.ts';

export type ShardTable = ReturnType<typeof shardTable>;

export function shardTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Reads all shards in one snapshot. Returns undefined if concurrent writes cancelled the read. */
    async snapshot(wallet: WalletId, shards: number): Promise<WalletShard[] | undefined> {
      // A single item needs no transaction for a snapshot. No write cancels its read, which costs half as much.
      if (shards === 1) {
        const shard = parseShard(await getRow(client, tableName, shardKey(wallet, 0)));
        return shard ? [shard] : [];
      }
      const items = Array.from({ length: shards }, (_, shard) => ({
        Get: { TableName: tableName, Key: shardKey(wallet, shard) },
      }));
      try {
        const answer = await client.send(new TransactGetCommand({ TransactItems: items }));
        return (answer.Responses ?? []).flatMap(({ Item }) => parseShard(Item) ?? []);
      } catch (error) {
        if (cancellationCodes(error)) return undefined;
        throw error;
      }
    },
    /** Reads the charge rows of the holds that these shards show. Returns the shards without those that are spent. */
    async withoutSpentHolds(wallet: WalletId, rows: readonly WalletShard[]): Promise<WalletShard[]> {
      const ids = new Set(rows.flatMap(({ holds }) => Object.keys(holds).map(operationIdOf)));
      const charges = await readCharges(client, tableName, wallet, [...ids]);
      const byOperation = new Map(charges.map((charge) => [charge.operationId, charge]));
      return rows.map((row) => withoutSpent(row, byOperation));
    },
    /** Moves credit in one transaction. Returns false if the transaction was cancelled and nothing was moved. */
    async transfer(wallet: WalletId, transfers: readonly Transfer[]) {
      const items = transfers.map(({ shard, amount }) => ({
        Update: {
          TableName: tableName,
          Key: shardKey(wallet, shard),
          UpdateExpression: 'SET available = available + :amount ADD moved :amount',
          ConditionExpression: 'available >= :taken',
          ExpressionAttributeValues: { ':amount': amount, ':taken': Math.max(0, -amount) },
        },
      }));
      try {
        await client.send(new TransactWriteCommand({ TransactItems: items }));
        return true;
      } catch (error) {
        if (cancellationCodes(error)) return false;
        throw error;
      }
    },
    /** Creates an empty shard. Returns false if it already exists. */
    createShard(wallet: WalletId, shard: number) {
      const fields = { shard, available: 0, credited: 0, holds: {}, walletsKey: walletsIndexKey(wallet.env) };
      const command = new PutCommand({
        TableName: tableName,
        Item: { ...shardKey(wallet, shard), ...fields },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return wasApplied(client.send(command));
    },
    /**
     * Returns the addresses of all shards of an environment. Eventually consistent, so read each shard before acting on
     * it.
     */
    async listShards(env: WalletId['env']): Promise<ShardRef[]> {
      const rows = await collectRows(
        paginateQuery(
          { client },
          {
            TableName: tableName,
            IndexName: 'wallets',
            KeyConditionExpression: 'walletsKey = :key',
            ExpressionAttributeValues: { ':key': walletsIndexKey(env) },
          },
        ),
      );
      return rows.map((row) => shardRefOf(String(row['pk'])));
    },
    /** Reads each of these shards consistently, but not in one snapshot. */
    async getShards(places: readonly ShardRef[]): Promise<{ wallet: WalletId; row: WalletShard }[]> {
      const keys = places.map(({ wallet, shard }) => shardKey(wallet, shard));
      const rows = await batchGet(client, tableName, keys);
      return rows.flatMap((item) => {
        const row = parseShard(item);
        return row ? [{ wallet: shardRefOf(String(item['pk'])).wallet, row }] : [];
      });
    },
  };
}
