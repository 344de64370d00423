import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { getRow, wasApplied } from '../core/database.ts';
import { DELIVERY_PREFIX, deliveriesPk, deliveryKey, eventDeliveryKey, type WalletId } from '../core/keys.ts';
import { type Delivery, delivery, eventDelivery } from './delivery.ts';

/** Part of an endpoint's deliveries. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The ID that the next part begins with. Undefined if there are no more deliveries. */
  readonly next: string | undefined;
}

/** A range of IDs of deliveries (ULIDs), both ends included. */
export interface DeliveryRange {
  readonly first: string;
  readonly last: string;
}

/** Deliveries in Console, below `HOOK#<env>#<org>#<endpoint>`. */
export interface DeliveryTable {
  /** Stores a delivery. Returns false if there is already a delivery of the event to the endpoint. */
  insertDelivery(row: Delivery): Promise<boolean>;
  getDelivery(owner: WalletId, endpointId: string, id: string): Promise<Delivery | undefined>;
  /** Returns the delivery of an event to an endpoint. */
  findDelivery(owner: WalletId, endpointId: string, eventId: string): Promise<Delivery | undefined>;
  /**
   * Returns at most `limit` deliveries in a range of IDs, with one read. `newest`: newest first instead of oldest
   * first.
   */
  listDeliveries(
    owner: WalletId,
    endpointId: string,
    range: DeliveryRange,
    options: { readonly limit: number; readonly newest: boolean },
  ): Promise<DeliveryPage>;
  /**
   * Starts a delivery again, in the state that `resentDelivery` returned. Returns false if it was started again in
   * the meantime.
   */
  restartDelivery(before: Delivery, after: Delivery): Promise<boolean>;
}

/** `recorder` records the deliveries that members send as a test or resend. */
export function deliveryTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
): DeliveryTable {
  const getDelivery: DeliveryTable['getDelivery'] = async (owner, endpointId, id) => {
    const row = await getRow(client, tableName, deliveryKey(owner, endpointId, id));
    return row && v.parse(delivery, row);
  };
  return {
    insertDelivery(row) {
      const { id, endpointId, eventId, expiresAt } = row;
      const items = [
        { ...eventDeliveryKey(row, endpointId, eventId), deliveryId: id, expiresAt },
        { ...deliveryKey(row, endpointId, id), ...row },
      ];
      const ConditionExpression = 'attribute_not_exists(pk)';
      const writes = items.map((Item) => ({ Put: { TableName: tableName, Item, ConditionExpression } }));
      return applyRecorded(client, writes, recorder.record(changeOf(row)));
    },
    getDelivery,
    async findDelivery(owner, endpointId, eventId) {
      const row = await getRow(client, tableName, eventDeliveryKey(owner, endpointId, eventId));
      return row && getDelivery(owner, endpointId, v.parse(eventDelivery, row).deliveryId);
    },
    async listDeliveries(owner, endpointId, { first, last }, { limit, newest }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          ConsistentRead: true,
          ScanIndexForward: !newest,
          // One more than requested: the next part begins with it.
          Limit: limit + 1,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':pk': deliveriesPk(owner, endpointId),
            ':first': `${DELIVERY_PREFIX}${first}`,
            ':last': `${DELIVERY_PREFIX}${last}`,
          },
        }),
      );
      const rows = Items.map((row) => v.parse(delivery, row));
      // A read ends early at 1 MB. The part then ends before the last row, and the next part begins with it.
      const size = rows.length > limit ? limit : LastEvaluatedKey ? rows.length - 1 : rows.length;
      return { deliveries: rows.slice(0, size), next: rows[size]?.id };
    },
    restartDelivery(before, after) {
      const put = {
        TableName: tableName,
        Item: { ...deliveryKey(after, after.endpointId, after.id), ...after },
        ConditionExpression: 'round = :read',
        ExpressionAttributeValues: { ':read': before.round },
      };
      const record = recorder.record(changeOf(before));
      if (record.length === 0) return wasApplied(client.send(new PutCommand(put)));
      return applyRecorded(client, [{ Put: put }], record);
    },
  };
}

/** Returns the change that the audit trail records about a delivery. */
function changeOf({ organisationId, env, endpointId, id, eventType }: Delivery): Change {
  return {
    organisationId,
    target: `${env} webhook ${endpointId}, delivery ${id}`,
    after: { event: eventType },
  };
}
