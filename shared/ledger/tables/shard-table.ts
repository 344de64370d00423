import {
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { batchGet, cancellationCodes, collectRows, wasApplied } from '../../core/database.ts';
import type { Transfer, WalletId, WalletShard } from '../rows/wallet.ts';
import { parseShard, walletKey } from './wallet-table.ts';

/**
 * All shards of a wallet together, off the hot path:
 * - read them in one snapshot, move credit between them in one transaction, make a new one
 * - find all wallets through the sparse index `wallets`
 */
export interface ShardRef {
  readonly wallet: WalletId;
  readonly shard: number;
}

export interface ShardTable {
  /** All shards at one instant; undefined where concurrent writes cancelled the read. */
  snapshot(wallet: WalletId, shards: number): Promise<WalletShard[] | undefined>;
  /** Moves credit in one transaction. False where it was cancelled: nothing moved. */
  transfer(wallet: WalletId, transfers: readonly Transfer[]): Promise<boolean>;
  /** Makes an empty shard. False where it exists. */
  createShard(wallet: WalletId, shard: number): Promise<boolean>;
  /** Where all shards of an environment lie; eventually consistent, so read each before acting. */
  listShards(env: WalletId['env']): Promise<ShardRef[]>;
  /** These shards, each read consistently but not at one instant. */
  getShards(places: readonly ShardRef[]): Promise<{ wallet: WalletId; row: WalletShard }[]>;
}

function placeOf(pk: string): ShardRef {
  const [env, organisationId = '', shard] = pk.split('#');
  return { wallet: { env: env === 'live' ? 'live' : 'test', organisationId }, shard: Number(shard) };
}

export function shardTable(client: DynamoDBDocumentClient, tableName: string): ShardTable {
  return {
    async snapshot(wallet, shards) {
      const items = Array.from({ length: shards }, (_, shard) => ({
        Get: { TableName: tableName, Key: walletKey(wallet, shard) },
      }));
      try {
        const answer = await client.send(new TransactGetCommand({ TransactItems: items }));
        return (answer.Responses ?? []).flatMap(({ Item }) => parseShard(Item) ?? []);
      } catch (error) {
        if (cancellationCodes(error)) return undefined;
        throw error;
      }
    },
    async transfer(wallet, transfers) {
      const items = transfers.map(({ shard, amount }) => ({
        Update: {
          TableName: tableName,
          Key: walletKey(wallet, shard),
          UpdateExpression: 'SET available = available + :amount',
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
    createShard(wallet, shard) {
      const fields = { shard, available: 0, credited: 0, holds: {}, walletsKey: `WALLETS#${wallet.env}` };
      const command = new PutCommand({
        TableName: tableName,
        Item: { ...walletKey(wallet, shard), ...fields },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return wasApplied(client.send(command));
    },
    async listShards(env) {
      const rows = await collectRows(
        paginateQuery(
          { client },
          {
            TableName: tableName,
            IndexName: 'wallets',
            KeyConditionExpression: 'walletsKey = :key',
            ExpressionAttributeValues: { ':key': `WALLETS#${env}` },
          },
        ),
      );
      return rows.map((row) => placeOf(String(row['pk'])));
    },
    async getShards(places) {
      const keys = places.map(({ wallet, shard }) => walletKey(wallet, shard));
      const rows = await batchGet(client, tableName, keys);
      return rows.flatMap((item) => {
        const row = parseShard(item);
        return row ? [{ wallet: placeOf(String(item['pk'])).wallet, row }] : [];
      });
    },
  };
}
