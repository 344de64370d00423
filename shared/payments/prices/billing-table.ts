import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { rowHashes } from '../../audit/row-hashes.ts';
import { ABSENT, put, readRow, where } from '../../core/expressions.ts';
import { billingKey } from '../../core/keys.ts';
import { type BillingDetails, billingDetails, party } from './billing.ts';

/** Billing details in Payments: `ORG#<org>` / `BILLING`. */
export type BillingTable = ReturnType<typeof billingTable>;

/** `recorder` records changes in the audit trail. Absent for code that only reads, and for some demo data and tests. */
export function billingTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    getBilling: (organisationId: string): Promise<BillingDetails | undefined> =>
      readRow(client, billingDetails, tableName, billingKey(organisationId)),
    /**
     * Stores billing details in one transaction with their record. `before` is what was read, undefined if there were
     * none. Returns false if someone else changed them in the meantime.
     */
    putBilling(organisationId: string, before: BillingDetails | undefined, after: BillingDetails) {
      const saved = put(
        tableName,
        { ...billingKey(organisationId), ...after },
        before ? where`changedAt = ${before.changedAt}` : ABSENT,
      );
      const values = changedValues(before ? v.parse(party, before) : {}, v.parse(party, after));
      const change = { organisationId, target: 'billing details', ...values, rows: rowHashes([saved]) };
      return applyRecorded(client, [saved], recorder.record(change));
    },
  };
}
