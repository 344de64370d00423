import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { rowHashes } from '../../audit/row-hashes.ts';
import { ABSENT, listRows, put, query, where } from '../../core/expressions.ts';
import { priceKey, pricesPk } from '../../core/keys.ts';
import { type CreditPrice, creditPrice } from './price.ts';

/** `PRICES#<org>` or `PRICES#STAGE` / ISO time. Rows are only added. */
export type PriceTable = ReturnType<typeof priceTable>;

/** Absent for reads, and for some demo data and tests. */
export function priceTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    /** Returns the price list of an organisation, or of the stage if `organisationId` is undefined, oldest first. */
    listPrices: (organisationId: string | undefined): Promise<CreditPrice[]> =>
      listRows(client, creditPrice, query(tableName, where`pk = ${pricesPk(organisationId)}`)),
    /**
     * Adds a price in one transaction with its record. `before` is what one credit costs until then, in kobo. Returns
     * false if the list already has a price from this time.
     */
    addPrice(organisationId: string | undefined, price: CreditPrice, before?: number) {
      const added = put(tableName, { ...priceKey(organisationId, price.from), ...price }, ABSENT);
      const { koboPerCredit, from, reason } = price;
      const target = `price from ${from}`;
      const change = {
        ...(organisationId !== undefined && { organisationId }),
        target,
        ...(before !== undefined && { before: { koboPerCredit: before } }),
        after: { koboPerCredit, reason },
        rows: rowHashes([added]),
      };
      return applyRecorded(client, [added], recorder.record(change));
    },
  };
}
