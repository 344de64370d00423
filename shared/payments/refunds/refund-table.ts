import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';

import { applyRecorded, type TransactItem } from '../../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { collectRows } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { ABSENT, listRows, put, query, readRow, where } from '../../core/expressions.ts';
import {
  creditNoteOfSk,
  DUE_REFUNDS,
  DUE_REVIEW,
  type DueEntry,
  NEVER_DUE,
  orderKey,
  orderOfPk,
  REFUND_PREFIX,
  refundKey,
  sortByTime,
} from '../../core/keys.ts';
import { isPaidByBank, type Refund, refund, refundTarget } from './refund.ts';

/** The key of a refund. */
export type RefundRef = Pick<Refund, 'env' | 'order' | 'creditNote'>;

/** `<env>#TOPUP#<order>` / `REFUND#<credit note>`. A move applies only to the version that was read. */
export type RefundTable = ReturnType<typeof refundTable>;

/** An attempt to send a refund changes nothing that is recorded. */
export function refundTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const item = (row: Refund) => ({
    ...refundKey(row.env, row.order, row.creditNote),
    ...row,
    ...dueOfRefund(row),
  });
  const move = (before: Refund, after: Refund) =>
    put(tableName, item({ ...after, version: before.version + 1 }), where`version = ${before.version}`);
  const dueIn = async (dueKey: string, nowIso: string) => {
    const keys = where`dueKey = ${dueKey} AND dueSort < ${sortByTime(nowIso, '~')}`;
    const input = query(tableName, keys, { IndexName: 'due' });
    const rows = await collectRows(paginateQuery({ client }, input));
    return rows
      .filter(({ sk }) => String(sk).startsWith(REFUND_PREFIX))
      .map(({ pk, sk }) => {
        const { env, reference } = orderOfPk(String(pk));
        return { env, order: reference, creditNote: creditNoteOfSk(String(sk)) };
      });
  };
  return {
    getRefund: ({ env, order, creditNote }: RefundRef): Promise<Refund | undefined> =>
      readRow(client, refund, tableName, refundKey(env, order, creditNote)),
    /** Sorted by credit note. Strongly consistent. */
    listRefunds(env: Environment, order: string): Promise<Refund[]> {
      const keys = where`pk = ${orderKey(env, order).pk} AND begins_with(sk, ${REFUND_PREFIX})`;
      return listRows(client, refund, query(tableName, keys));
    },
    insertItem: (row: Refund): TransactItem => put(tableName, item(row), ABSENT),
    /** Returns false if another process changed it: read it again. */
    moveRefund(before: Refund, after: Refund) {
      const { organisationId, creditNote } = before;
      const changed = changedValues(factsOf(before), factsOf(after));
      const target = refundTarget(creditNote);
      const isChanged = Object.keys(changed.after).length > 0;
      // The reference may be known before the refund is done.
      const stated = { ...changed, after: { ...changed.after, paidBackBy: after.paidBackBy } };
      const record = isChanged ? recorder.record({ organisationId, target, ...stated }) : [];
      return applyRecorded(client, [move(before, after)], record);
    },
    /**
     * Those without a problem first, longest due first. Eventually consistent: read each before acting on it.
     */
    listDue: async (nowIso: string): Promise<RefundRef[]> => [
      ...(await dueIn(DUE_REFUNDS, nowIso)),
      ...(await dueIn(DUE_REVIEW, nowIso)),
    ],
  };
}

const factsOf = ({ state, paidBackBy, paidBackKobo, totalKobo, doneAt }: Refund) => {
  return { state, paidBackBy, paidBackKobo, totalKobo, doneAt };
};

/**
 * At most one entry in the index `due`. A person must review a refund with a problem, or paid by bank transfer.
 */
export function dueOfRefund(row: Refund): DueEntry {
  const { problem, dueAt, creditNote } = row;
  if (isPaidByBank(row) || problem !== undefined)
    return { dueKey: DUE_REVIEW, dueSort: sortByTime(dueAt ?? NEVER_DUE, creditNote) };
  return dueAt === undefined ? {} : { dueKey: DUE_REFUNDS, dueSort: sortByTime(dueAt, creditNote) };
}
