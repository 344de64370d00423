import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { getRow } from '../../core/database.ts';
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
    async getBilling(organisationId: string): Promise<BillingDetails | undefined> {
      const row = await getRow(client, tableName, billingKey(organisationId));
      return row && v.parse(billingDetails, row);
    },
    /**
     * Stores billing details in one transaction with their record. `before` is what was read, undefined if there were
     * none. Returns false if someone else changed them in the meantime.
     */
    putBilling(organisationId: string, before: BillingDetails | undefined, after: BillingDetails) {
      const put = {
        TableName: tableName,
        Item: { ...billingKey(organisationId), ...after },
        ConditionExpression: before ? 'changedAt = :changedAt' : 'attribute_not_exists(pk)',
        ...(before && { ExpressionAttributeValues: { ':changedAt': before.changedAt } }),
      };
      const values = changedValues(before ? v.parse(party, before) : {}, v.parse(party, after));
      const record = recorder.record({ organisationId, target: 'billing details', ...values });
      return applyRecorded(client, [{ Put: put }], record);
    },
  };
}
