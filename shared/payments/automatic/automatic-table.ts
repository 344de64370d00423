import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { applyRecorded, type TransactItem } from '../../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { collectRows } from '../../core/database.ts';
import { ABSENT, change, PRESENT, put, query, readRow, update, where } from '../../core/expressions.ts';
import {
  automaticTopUpKey,
  DUE_AUTOMATIC,
  type DueEntry,
  organisationOfAutomaticPk,
  type WalletId,
} from '../../core/keys.ts';
import { type AutomaticTopUp, automaticTopUp, settingsOf } from './automatic-top-up.ts';

/** `AUTOMATIC#<org>` / `AUTOMATIC`. */
export type AutomaticTable = ReturnType<typeof automaticTable>;

/** `recorder` records changes of the settings and of the state, but neither charges nor the card. */
export function automaticTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const getAutomatic = (organisationId: string): Promise<AutomaticTopUp | undefined> =>
    readRow(client, automaticTopUp, tableName, automaticTopUpKey(organisationId));
  /** Stops the charges, in the transaction that records a refund or a reversal. Empty for wallets without settings. */
  async function paidBackItems({ env, organisationId }: WalletId, at: string): Promise<TransactItem[]> {
    if (env !== 'live' || !(await getAutomatic(organisationId))) return [];
    // A charge that has not begun is then not claimed.
    const paidBack = change`SET paidBackAt = ${at} ADD version ${1}`;
    return [update(tableName, automaticTopUpKey(organisationId), paidBack, PRESENT)];
  }
  return {
    getAutomatic,
    paidBackItems,
    /** Stops the charges when a purchase is disputed: it may be reversed weeks later. */
    async stopCharges(wallet: WalletId, at: string): Promise<void> {
      const items = await paidBackItems(wallet, at);
      if (items.length > 0) await applyRecorded(client, items, []);
    },
    /** The organisations whose cards may be charged, or are being charged. Eventually consistent. */
    async listAutomatic(): Promise<string[]> {
      const input = query(tableName, where`dueKey = ${DUE_AUTOMATIC}`, { IndexName: 'due' });
      const rows = await collectRows(paginateQuery({ client }, input));
      return rows.map(({ pk }) => organisationOfAutomaticPk(String(pk)));
    },
    /** Returns false if the row was changed since `before` was read. `more` is written in the same transaction. */
    saveAutomatic(
      before: AutomaticTopUp | undefined,
      after: AutomaticTopUp,
      more: readonly TransactItem[] = [],
    ): Promise<boolean> {
      const { organisationId } = after;
      const saved = put(
        tableName,
        {
          ...automaticTopUpKey(organisationId),
          ...after,
          version: (before?.version ?? 0) + 1,
          ...dueOfAutomatic(after),
        },
        before ? where`version = ${before.version}` : ABSENT,
      );
      const values = changedValues(before ? settingsOf(before) : {}, settingsOf(after));
      const isChanged = Object.keys(values.after).length > 0;
      const record = isChanged
        ? recorder.record({ organisationId, target: 'automatic top-up', ...values })
        : [];
      return applyRecorded(client, [saved, ...more], record);
    },
  };
}

/** In the index `due` if the card may be charged, or is being charged. */
export function dueOfAutomatic({ state, charging, organisationId }: AutomaticTopUp): DueEntry {
  const isDue = state === 'ON' || charging !== undefined;
  return isDue ? { dueKey: DUE_AUTOMATIC, dueSort: organisationId } : {};
}
