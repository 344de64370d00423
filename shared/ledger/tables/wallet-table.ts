import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getRow, type Row, rowOfFailedCondition, wasApplied, wasNotApplied } from '../../core/database.ts';
import { shardKey, type WalletId } from '../../core/keys.ts';
import { type Hold, MAX_HOLDS, type PlacedHold, type WalletShard, walletShard } from '../rows/wallet.ts';

/**
 * Wallet shards in Wallets: `<env>#<org>#<nn>` / `WALLET`.
 * - reserve: one conditional update of one shard, which also clears spent holds
 * - release a hold, clear spent holds, count a failed sweep
 * - read one shard
 * Operations on all shards of a wallet are in shard-table.ts.
 */

/** The result of one send of a reserve. `lost`: no response arrived; the write may still be applied, even later. */
type PlaceResult =
  | { readonly kind: 'placed'; readonly available: number }
  | { readonly kind: 'refused'; readonly shard: WalletShard | undefined }
  | { readonly kind: 'not-applied'; readonly error: unknown }
  | { readonly kind: 'lost'; readonly error: unknown };

export type WalletTable = ReturnType<typeof walletTable>;

export const parseShard = (row: Row | undefined) => row && v.parse(walletShard, row);

/** Returns placeholders `#h0, #h1 ...`, because hold IDs contain a dot, which a document path cannot contain. */
function holdNames(holdIds: readonly string[]) {
  const names = Object.fromEntries(holdIds.map((holdId, index) => [`#h${index}`, holdId]));
  return { names, paths: Object.keys(names).map((name) => `holds.${name}`) };
}

/**
 * `client` may retry calls. `onceClient` must not retry, because a reserve that is sent twice under one hold ID could
 * remove a credit permanently (docs/design/ledger.md).
 */
export function walletTable(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  tableName: string,
) {
  const update = (wallet: WalletId, shard: number, expression: string, condition: string) => ({
    TableName: tableName,
    Key: shardKey(wallet, shard),
    UpdateExpression: expression,
    ConditionExpression: condition,
  });
  return {
    async placeHold(
      wallet: WalletId,
      { shard, holdId }: PlacedHold,
      entry: Hold,
      cleared: readonly string[],
    ): Promise<PlaceResult> {
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
        const old = rowOfFailedCondition(error);
        if (old) return { kind: 'refused', shard: old['pk'] ? parseShard(old) : undefined };
        return { kind: wasNotApplied(error) ? 'not-applied' : 'lost', error };
      }
    },
    /** Releases the hold: its cost becomes available again. Returns false if the hold no longer exists. */
    releaseHold(wallet: WalletId, { shard, holdId }: PlacedHold, cost: number) {
      const expression = 'SET available = available + :cost REMOVE holds.#hold';
      const command = new UpdateCommand({
        ...update(wallet, shard, expression, 'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost },
      });
      return wasApplied(client.send(command));
    },
    /** Removes holds whose cost was charged. */
    async clearHolds(wallet: WalletId, shard: number, holdIds: readonly string[]) {
      if (holdIds.length === 0) return;
      const { names, paths } = holdNames(holdIds);
      const command = new UpdateCommand({
        ...update(wallet, shard, `REMOVE ${paths.join(', ')}`, 'attribute_exists(pk)'),
        ExpressionAttributeNames: names,
      });
      await client.send(command);
    },
    /** Counts a failed sweep on the hold, if it still exists. */
    async countSweepFailure(wallet: WalletId, { shard, holdId }: PlacedHold) {
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
    async getShard(wallet: WalletId, shard: number): Promise<WalletShard | undefined> {
      return parseShard(await getRow(client, tableName, shardKey(wallet, shard)));
    },
  };
}
