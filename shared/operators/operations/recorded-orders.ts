import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { applyRecorded } from '../../audit/audit-table.ts';
import type { Recorder } from '../../audit/recorder.ts';
import { rowHashes } from '../../audit/row-hashes.ts';
import { bookingFacts, problemFacts, type TopUpOrder } from '../../payments/orders/order.ts';
import { type OrderTable, orderTable } from '../../payments/orders/order-table.ts';

/** Returns an order table that writes each of the operator's changes and its audit record in one transaction. */
export function recordedOrders(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder,
): OrderTable {
  const orders = orderTable(client, tableName, recorder);
  return {
    ...orders,
    moveOrder(before, after, checks = []) {
      const problem = problemFacts(before, after);
      const item = orders.moveItem(before, after);
      const { checkoutUrl } = after;
      const values = {
        before: summaryOf(before),
        after: {
          ...summaryOf(after),
          ...(checkoutUrl !== before.checkoutUrl && { checkoutUrl }),
          ...problem,
        },
        ...(problem && { rows: rowHashes([item]) }),
      };
      return applyRecorded(client, [item, ...checks], recorder.record({ ...changeOf(before), ...values }));
    },
  };
}

function changeOf({ organisationId, env, reference }: TopUpOrder) {
  return { organisationId, target: `${env} order ${reference}` };
}

function summaryOf(order: TopUpOrder) {
  const { state, problem, resolution, resolvedAt, resolvedBy, bookedReversal: booked } = order;
  return {
    state,
    ...(problem && { problem }),
    ...(resolution && { resolution }),
    ...(resolvedAt && { resolvedAt, resolvedBy }),
    ...(booked && bookingFacts(booked)),
  };
}
