import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Row, refusedRow, wasApplied, wasNotApplied } from '../../core/database.ts';
import { shardKey, type WalletId } from '../../core/keys.ts';
import { type Hold, MAX_HOLDS, type PlacedHold, type WalletShard, walletShard } from '../rows/wallet.ts';

/**
 * Wallet shards in Wallets: `<env>#<org>#<nn>` / `WALLET`.
 * - reserve: one conditional update of one shard, which also clears holds that are done with
 * - return a hold, clear holds that are spent, count a failed sweep
 * - read one shard
 * What concerns all shards of a wallet is in shard-table.ts.
 */

/** What became of one send of a reserve. `lost`: no answer came; it may be applied, even later. */
export type PlaceResult =
  | { readonly kind: 'placed'; readonly available: number }
  | { readonly kind: 'refused'; readonly shard: WalletShard | undefined }
  | { readonly kind: 'not-applied' }
  | { readonly kind: 'lost' };

export interface WalletTable {
  placeHold(
    wallet: WalletId,
    hold: PlacedHold,
    entry: Hold,
    cleared: readonly string[],
  ): Promise<PlaceResult>;
  /** Gives the hold's cost back. False where the hold is gone already. */
  releaseHold(wallet: WalletId, hold: PlacedHold, cost: number): Promise<boolean>;
  /** Removes holds that CHARGED rows name: the money is spent. */
  clearHolds(wallet: WalletId, shard: number, holdIds: readonly string[]): Promise<void>;
  /** Counts a failed sweep on the hold itself, if it is still there. */
  countSweepFailure(wallet: WalletId, hold: PlacedHold): Promise<void>;
  getShard(wallet: WalletId, shard: number): Promise<WalletShard | undefined>;
}

export const parseShard = (row: Row | undefined) => row && v.parse(walletShard, row);

/** `#h0, #h1 ...`: hold ids contain a dot, which a document path cannot carry literally. */
function holdNames(holdIds: readonly string[]) {
  const names = Object.fromEntries(holdIds.map((holdId, place) => [`#h${place}`, holdId]));
  return { names, paths: Object.keys(names).map((name) => `holds.${name}`) };
}

/**
 * `client` may repeat what it sends. `onceClient` must not: a reserve that is sent twice under one hold id could
 * take a credit for ever (see the ledger design, step 1).
 */
export function walletTable(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  tableName: string,
): WalletTable {
  const update = (wallet: WalletId, shard: number, expression: string, condition: string) => ({
    TableName: tableName,
    Key: shardKey(wallet, shard),
    UpdateExpression: expression,
    ConditionExpression: condition,
  });
  return {
    async placeHold(wallet, { shard, holdId }, entry, cleared) {
      const { names, paths } = holdNames(cleared);
      const remove = paths.length > 0 ? ` REMOVE ${paths.join(', ')}` : '';
      const expression = `SET available = available - :cost, holds.#hold = :hold${remove}`;
      const command = new UpdateCommand({
        ...update(wallet, shard, expression, 'available >= :cost AND size(holds) < :max'),
        ExpressionAttributeNames: { '#hold': holdId, ...names },
        ExpressionAttributeValues: { ':cost': entry.cost, ':hold': entry, ':max': MAX_HOLDS },
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const answer = await onceClient.send(command);
        return { kind: 'placed', available: Number(answer.Attributes?.['available']) };
      } catch (error) {
        const old = refusedRow(error);
        if (old) return { kind: 'refused', shard: old['pk'] ? parseShard(old) : undefined };
        return { kind: wasNotApplied(error) ? 'not-applied' : 'lost' };
      }
    },
    releaseHold(wallet, { shard, holdId }, cost) {
      const expression = 'SET available = available + :cost REMOVE holds.#hold';
      const command = new UpdateCommand({
        ...update(wallet, shard, expression, 'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost },
      });
      return wasApplied(client.send(command));
    },
    async clearHolds(wallet, shard, holdIds) {
      if (holdIds.length === 0) return;
      const { names, paths } = holdNames(holdIds);
      const command = new UpdateCommand({
        ...update(wallet, shard, `REMOVE ${paths.join(', ')}`, 'attribute_exists(pk)'),
        ExpressionAttributeNames: names,
      });
      await client.send(command);
    },
    async countSweepFailure(wallet, { shard, holdId }) {
      const expression = 'SET #path = if_not_exists(#path, :zero) + :one'.replaceAll(
        '#path',
        'holds.#hold.sweepFailures',
      );
      const command = new UpdateCommand({
        ...update(wallet, shard, expression, 'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':zero': 0, ':one': 1 },
      });
      await wasApplied(client.send(command));
    },
    async getShard(wallet, shard) {
      const key = shardKey(wallet, shard);
      const answer = await client.send(
        new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
      );
      return parseShard(answer.Item);
    },
  };
}
