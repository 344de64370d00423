import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { updateRow } from '../core/database.ts';
import {
  attribute,
  change,
  changeTo,
  type Expression,
  removal,
  rowUpdate,
  where,
} from '../core/expressions.ts';
import { endpointKey } from '../core/keys.ts';
import { type Endpoint, endpoint, freeLeases, type Lease } from './endpoint.ts';

type LeaseResult =
  | { readonly kind: 'taken'; readonly lease: Lease; readonly endpoint: Endpoint }
  | { readonly kind: 'busy' }
  | { readonly kind: 'not-enabled' };

/** What deliveries change in an endpoint's row. */
export type LeaseTable = ReturnType<typeof leaseTable>;

export function leaseTable(client: DynamoDBDocumentClient, tableName: string) {
  const update = (row: Endpoint, changed: Expression, condition: Expression) =>
    updateRow(client, tableName, endpointKey(row, row.id), rowUpdate(changed, condition), 'ALL_NEW');
  return {
    /** Takes one of the two leases until `untilMs`. The result contains the current row. */
    async takeLease(row: Endpoint, holder: string, untilMs: number, nowMs: number): Promise<LeaseResult> {
      for (const name of freeLeases(row, nowMs)) {
        const lease = attribute(name);
        const isFree = where`attribute_not_exists(${lease}) OR ${lease}.untilMs < ${nowMs}`;
        const { isApplied, row: after } = await update(
          row,
          change`SET ${lease} = ${{ holder, untilMs }}`,
          where`state = ${'ENABLED'} AND (${isFree})`,
        );
        if (isApplied)
          return { kind: 'taken', lease: { name, holder, untilMs }, endpoint: v.parse(endpoint, after) };
        if (after['state'] !== 'ENABLED') return { kind: 'not-enabled' };
      }
      return { kind: 'busy' };
    },
    /** Does nothing if it has expired and another delivery has taken it. */
    async returnLease(row: Endpoint, { name, holder, untilMs }: Lease) {
      const lease = attribute(name);
      const isHeld = where`${lease}.holder = ${holder} AND ${lease}.untilMs = ${untilMs}`;
      await update(row, removal([name]), isHeld);
    },
    /** Does nothing if a member has changed it since it was read. */
    async disableGone(row: Endpoint) {
      const gone = { state: 'DISABLED', disabledBecause: 'GONE', version: row.version + 1 };
      await update(row, changeTo(gone), where`version = ${row.version} AND state = ${'ENABLED'}`);
    },
  };
}
