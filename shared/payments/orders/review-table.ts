import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { collectRows } from '../../core/database.ts';
import { query, where } from '../../core/expressions.ts';
import { creditNoteOfSk, DUE_PAID, DUE_REVIEW, orderOfPk, REFUND_PREFIX } from '../../core/keys.ts';
import type { RefundRef } from '../refunds/refund-table.ts';
import type { OrderRef } from './order-table.ts';

/** The entries in the index `due` of Payments that a person may have to review. Eventually consistent. */
export type ReviewTable = ReturnType<typeof reviewTable>;

export function reviewTable(client: DynamoDBDocumentClient, tableName: string) {
  const entries = async (dueKey: string) => {
    const input = query(tableName, where`dueKey = ${dueKey}`, { IndexName: 'due' });
    const rows = await collectRows(paginateQuery({ client }, input));
    return rows.map(({ pk, sk }) => ({ order: orderOfPk(String(pk)), sk: String(sk) }));
  };
  return {
    /** Lists the orders and refunds that have a problem, and the refunds that a person must pay by bank transfer. */
    async listReview(): Promise<{
      readonly orders: readonly OrderRef[];
      readonly refunds: readonly RefundRef[];
    }> {
      const all = await entries(DUE_REVIEW);
      const isRefund = ({ sk }: { readonly sk: string }) => sk.startsWith(REFUND_PREFIX);
      return {
        orders: all.filter((entry) => !isRefund(entry)).map(({ order }) => order),
        refunds: all.filter(isRefund).map(({ order: { env, reference }, sk }) => {
          return { env, order: reference, creditNote: creditNoteOfSk(sk) };
        }),
      };
    },
    /** Lists the paid orders that are not credited yet. */
    listPaid: async (): Promise<OrderRef[]> => (await entries(DUE_PAID)).map(({ order }) => order),
  };
}
