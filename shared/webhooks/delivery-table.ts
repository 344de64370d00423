import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { wasApplied } from '../core/database.ts';
import { ABSENT, put, query, readPage, readRow, sendWrite, where } from '../core/expressions.ts';
import {
  attemptPrefix,
  DELIVERY_PREFIX,
  deliveriesPk,
  deliveryKey,
  eventDeliveryKey,
  type WalletId,
} from '../core/keys.ts';
import { type Attempt, attempt, type Delivery, delivery, eventDelivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { webhookTarget } from './endpoint-table.ts';

/** Part of an endpoint's deliveries. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly next: string | undefined;
}

/** ULIDs, both inclusive. */
export interface DeliveryRange {
  readonly first: string;
  readonly last: string;
}

/** Deliveries in Console, below `HOOK#<env>#<org>#<endpoint>`. */
export type DeliveryTable = ReturnType<typeof deliveryTable>;

/** Of deliveries that members send or resend. */
export function deliveryTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const getDelivery = (owner: WalletId, endpointId: string, id: string): Promise<Delivery | undefined> =>
    readRow(client, delivery, tableName, deliveryKey(owner, endpointId, id));
  return {
    /** Returns false if the event already has a delivery to the endpoint. */
    insertDelivery(row: Delivery, to: Endpoint) {
      const { id, endpointId, eventId, expiresAt } = row;
      const items = [
        { ...eventDeliveryKey(row, endpointId, eventId), deliveryId: id, expiresAt },
        { ...deliveryKey(row, endpointId, id), ...row },
      ];
      const writes = items.map((item) => put(tableName, item, ABSENT));
      return applyRecorded(client, writes, recorder.record(changeOf(row, to)));
    },
    getDelivery,
    async findDelivery(owner: WalletId, endpointId: string, eventId: string): Promise<Delivery | undefined> {
      const key = eventDeliveryKey(owner, endpointId, eventId);
      const row = await readRow(client, eventDelivery, tableName, key);
      return row && getDelivery(owner, endpointId, row.deliveryId);
    },
    /** At most `limit`, with one read. */
    async listDeliveries(
      owner: WalletId,
      endpointId: string,
      { first, last }: DeliveryRange,
      { limit, newest }: { readonly limit: number; readonly newest: boolean },
    ): Promise<DeliveryPage> {
      const [from, to] = [`${DELIVERY_PREFIX}${first}`, `${DELIVERY_PREFIX}${last}`];
      const keys = where`pk = ${deliveriesPk(owner, endpointId)} AND sk BETWEEN ${from} AND ${to}`;
      // The next part begins with it.
      const options = { ScanIndexForward: !newest, Limit: limit + 1 };
      const { Items = [], LastEvaluatedKey } = await readPage(client, query(tableName, keys, options));
      const rows = Items.map((row) => v.parse(delivery, row));
      // A read ends early at 1 MB: the last row begins the next part.
      const size = rows.length > limit ? limit : LastEvaluatedKey ? rows.length - 1 : rows.length;
      return { deliveries: rows.slice(0, size), next: rows[size]?.id };
    },
    /** Newest first, at most `limit`. */
    async listAttempts(
      owner: WalletId,
      endpointId: string,
      deliveryId: string,
      limit: number,
    ): Promise<Attempt[]> {
      const of = where`pk = ${deliveriesPk(owner, endpointId)}`;
      const keys = where`${of} AND begins_with(sk, ${attemptPrefix(deliveryId)})`;
      const options = { ScanIndexForward: false, Limit: limit };
      const { Items = [] } = await readPage(client, query(tableName, keys, options));
      return Items.map((row) => v.parse(attempt, row));
    },
    /** Returns false if it was started again in the meantime. */
    restartDelivery(before: Delivery, after: Delivery, to: Endpoint) {
      const restarted = put(
        tableName,
        { ...deliveryKey(after, after.endpointId, after.id), ...after },
        where`round = ${before.round}`,
      );
      const record = recorder.record(changeOf(before, to));
      if (record.length === 0) return wasApplied(sendWrite(client, restarted));
      return applyRecorded(client, [restarted], record);
    },
  };
}

function changeOf({ organisationId, id, eventType }: Delivery, to: Endpoint): Change {
  return {
    organisationId,
    target: `${webhookTarget(to)}, delivery ${id}`,
    after: { event: eventType },
  };
}
