import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { collectRows } from '../../core/database.ts';
import { priceKey, pricesPk } from '../../core/keys.ts';
import { type CreditPrice, creditPrice } from './price.ts';

/** Price lists in Payments: `PRICES#<org>` or `PRICES#STAGE` / ISO time. Rows are only ever added. */
export type PriceTable = ReturnType<typeof priceTable>;

/** `recorder` records changes in the audit trail. Absent for code that only reads, and for some demo data and tests. */
export function priceTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    /** Returns the price list of an organisation, or of the stage if `organisationId` is undefined, oldest first. */
    async listPrices(organisationId: string | undefined): Promise<CreditPrice[]> {
      const query = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pricesPk(organisationId) },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows.map((row) => v.parse(creditPrice, row));
    },
    /**
     * Adds a price in one transaction with its record. Returns false if the list already has a price from this time.
     */
    addPrice(organisationId: string | undefined, price: CreditPrice) {
      const put = {
        TableName: tableName,
        Item: { ...priceKey(organisationId, price.from), ...price },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const { koboPerCredit, from, reason } = price;
      const target = `price from ${from}`;
      const change = {
        ...(organisationId !== undefined && { organisationId }),
        target,
        after: { koboPerCredit, reason },
      };
      return applyRecorded(client, [{ Put: put }], recorder.record(change));
    },
  };
}
