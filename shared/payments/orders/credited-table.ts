import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getRow, wasApplied } from '../../core/database.ts';
import { change, query, readPage, sendWrite, update, where } from '../../core/expressions.ts';
import { DUE_CREDITED, orderKey, orderOfPk } from '../../core/keys.ts';
import type { CreditedTopUps } from '../../events/publish-wallet.ts';
import { topUpOrder } from './order.ts';

/** Always names its invoice. */
const creditedOrder = v.object({ ...topUpOrder.entries, invoice: v.string(), unpublished: v.literal(true) });

/** The next run continues with the others. */
const MOST_AT_ONCE = 100;
const IS_DUE = where`dueKey = ${DUE_CREDITED}`;

/**
 * Credited orders whose event is not published yet. The index `due` is eventually consistent: the event may already be
 * published.
 */
export function creditedTable(client: DynamoDBDocumentClient, tableName: string): CreditedTopUps {
  const getCredited: CreditedTopUps['getCredited'] = async ({ env, reference }) => {
    const row = await getRow(client, tableName, orderKey(env, reference));
    const order = v.safeParse(creditedOrder, row);
    return order.success ? order.output : undefined;
  };
  return {
    getCredited,
    async listCredited() {
      const input = query(tableName, IS_DUE, { IndexName: 'due', Limit: MOST_AT_ONCE });
      const { Items = [] } = await readPage(client, input);
      const found = await Promise.all(Items.map(({ pk }) => getCredited(orderOfPk(String(pk)))));
      return found.filter((one) => one !== undefined);
    },
    async markPublished({ env, reference }) {
      // Another process may have moved the order in the index.
      const published = change`REMOVE unpublished, dueKey, dueSort SET version = version + ${1}`;
      await wasApplied(sendWrite(client, update(tableName, orderKey(env, reference), published, IS_DUE)));
    },
  };
}
