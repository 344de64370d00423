import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, collectRows, wasApplied } from '../core/database.ts';
import type { IdType } from '../core/id-types.ts';
import { registryDayKey, registryDaysPk, type WalletId, walletRegistriesKey } from '../core/keys.ts';
import { type RegistryDay, registryDayOf } from './registry-days.ts';
import {
  type RegistryDayRow,
  registryDayRow,
  type WalletRegistriesRow,
  walletRegistriesRow,
} from './rows.ts';

/**
 * Look-ups by day in Console: `REGISTRY#<ID type>` / `<day>`, and the share of each wallet, in its usage partition:
 * `REGISTRY#<day>`.
 */
export type RegistryDayTable = ReturnType<typeof registryDayTable>;

export function registryDayTable(client: DynamoDBDocumentClient, TableName: string) {
  const put = (Item: Record<string, unknown> & { readonly countedAt: string }) =>
    wasApplied(
      client.send(
        new PutCommand({
          TableName,
          Item,
          ConditionExpression: 'attribute_not_exists(pk) OR countedAt <= :countedAt',
          ExpressionAttributeValues: { ':countedAt': Item.countedAt },
        }),
      ),
    );
  return {
    /** Returns the stored days from `fromDay`, oldest first within an ID type. Queries all ID types in parallel. */
    async readRegistryDays(idTypes: readonly IdType[], fromDay: string): Promise<RegistryDay[]> {
      const read = async (idType: IdType) => {
        const query = {
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk >= :from',
          ExpressionAttributeValues: { ':pk': registryDaysPk(idType), ':from': fromDay },
        };
        const rows = await collectRows(paginateQuery({ client }, query));
        return rows.map((row) => registryDayOf(idType, v.parse(registryDayRow, row)));
      };
      return (await Promise.all(idTypes.map(read))).flat();
    },
    /** Returns the shares of these wallets on one day. Wallets without a share are left out. */
    async readShares(wallets: readonly WalletId[], day: string): Promise<WalletRegistriesRow[]> {
      const keys = wallets.map((wallet) => walletRegistriesKey(wallet, day));
      return (await batchGet(client, TableName, keys)).map((row) => v.parse(walletRegistriesRow, row));
    },
    /** Writes a share, unless a later count has written it. Returns false if one has. */
    putShare: (wallet: WalletId, row: WalletRegistriesRow) =>
      put({ ...walletRegistriesKey(wallet, row.day), ...row }),
    /** Writes a day, unless a later count has written it. Returns false if one has. */
    putDay: (idType: IdType, row: RegistryDayRow) => put({ ...registryDayKey(idType, row.day), ...row }),
  };
}
