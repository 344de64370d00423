import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { applyRecorded } from '../../audit/audit-table.ts';
import type { Recorder } from '../../audit/recorder.ts';
import { bookingFacts, mismatchFacts, type TopUpOrder } from '../../payments/orders/order.ts';
import { type OrderTable, orderTable } from '../../payments/orders/order-table.ts';

/** Returns an order table that writes each of the operator's changes and its audit record in one transaction. */
export function recordedOrders(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder,
): OrderTable {
  const orders = orderTable(client, tableName);
  return {
    ...orders,
    insertOrder(order) {
      const { state, credits, totalKobo, method } = order;
      const after = { state, credits, totalKobo, method };
      return applyRecorded(
        client,
        [orders.insertItem(order)],
        recorder.record({ ...changeOf(order), after }),
      );
    },
    moveOrder(before, after, checks = []) {
      const isMismatched = before.state !== 'MISMATCH' && after.state === 'MISMATCH';
      const facts = isMismatched ? mismatchFacts(after) : {};
      const values = { before: summaryOf(before), after: { ...summaryOf(after), ...facts } };
      return applyRecorded(
        client,
        [orders.moveItem(before, after), ...checks],
        recorder.record({ ...changeOf(before), ...values }),
      );
    },
  };
}

function changeOf({ organisationId, env, reference }: TopUpOrder) {
  return { organisationId, target: `${env} order ${reference}` };
}

function summaryOf({ state, problem, resolution, bookedReversal: booked }: TopUpOrder) {
  return {
    state,
    ...(problem && { problem }),
    ...(resolution && { resolution }),
    ...(booked && bookingFacts(booked)),
  };
}
