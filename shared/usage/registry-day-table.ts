import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row, wasApplied } from '../core/database.ts';
import { listRows, put, query, sendWrite, where } from '../core/expressions.ts';
import type { IdType } from '../core/id-types.ts';
import { registryDayKey, registryDaysPk, type WalletId, walletRegistriesKey } from '../core/keys.ts';
import { type RegistryDay, registryDayOf } from './registry-days.ts';
import {
  type RegistryDayRow,
  registryDayRow,
  type WalletRegistriesRow,
  walletRegistriesRow,
} from './rows.ts';

/** `REGISTRY#<ID type>` / `<day>`, and the share of each wallet, in its usage partition: `REGISTRY#<day>`. */
export type RegistryDayTable = ReturnType<typeof registryDayTable>;

export function registryDayTable(client: DynamoDBDocumentClient, TableName: string) {
  const putUnlessLater = (row: Row & { readonly countedAt: string }) => {
    const isEarlier = where`attribute_not_exists(pk) OR countedAt <= ${row.countedAt}`;
    return wasApplied(sendWrite(client, put(TableName, row, isEarlier)));
  };
  return {
    /** Oldest first within an ID type. */
    async readRegistryDays(idTypes: readonly IdType[], fromDay: string): Promise<RegistryDay[]> {
      const read = async (idType: IdType) => {
        const keys = where`pk = ${registryDaysPk(idType)} AND sk >= ${fromDay}`;
        const input = query(TableName, keys, { ConsistentRead: false });
        const rows = await listRows(client, registryDayRow, input);
        return rows.map((row) => registryDayOf(idType, row));
      };
      return (await Promise.all(idTypes.map(read))).flat();
    },
    /** Wallets without a share are left out. */
    async readShares(wallets: readonly WalletId[], day: string): Promise<WalletRegistriesRow[]> {
      const keys = wallets.map((wallet) => walletRegistriesKey(wallet, day));
      return (await batchGet(client, TableName, keys)).map((row) => v.parse(walletRegistriesRow, row));
    },
    /** Returns false if one has. */
    putShare: (wallet: WalletId, row: WalletRegistriesRow) =>
      putUnlessLater({ ...walletRegistriesKey(wallet, row.day), ...row }),
    /** Returns false if one has. */
    putDay: (idType: IdType, row: RegistryDayRow) =>
      putUnlessLater({ ...registryDayKey(idType, row.day), ...row }),
  };
}
