import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { accountingMonthOf, monthBefore } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import type { WalletId } from '../../core/keys.ts';
import { inTurn, type MoneySource } from '../../ledger/reconcile/money.ts';
import type { Difference } from '../../ledger/reconcile/rows.ts';
import { numberIn, seriesOf } from '../documents/document-series.ts';
import { DOCUMENT_KINDS, financialDocument } from '../documents/financial-document.ts';
import { checkClosings } from './check-closings.ts';
import { checkDocuments } from './check-documents.ts';
import { checkLots } from './check-lots.ts';
import { beyondCounter, checkNumbers, type NumberedDocument } from './check-numbers.ts';
import { checkOrders } from './check-orders.ts';
import { checkRefunds } from './check-refunds.ts';
import { monthOf } from './money-rows.ts';
import { moneyTable } from './money-table.ts';
import { readMoney } from './read-money.ts';

const YEAR_MS = 365 * DAY_MS;

/** The control of the money rows, for the reconciliation. Writes nothing. */
export function moneySource(
  client: DynamoDBDocumentClient,
  names: Readonly<Record<'payments' | 'wallets', string>>,
): MoneySource {
  const table = moneyTable(client, names);
  const documentsOf = async (wallets: readonly WalletId[]) => {
    const all: NumberedDocument[] = [];
    for (const wallet of wallets)
      for (const item of await table.documentItems(wallet)) {
        const { success, output } = v.safeParse(financialDocument, item);
        if (success) all.push({ ...output, wallet });
      }
    return Map.groupBy(all, (one) => numberIn(one)?.series);
  };
  return {
    async checkMoney(wallet, { credits, nowMs, isWhole }) {
      const recent = monthBefore(accountingMonthOf(nowMs));
      const { rows, findings } = await readMoney(
        wallet,
        table,
        credits,
        ({ reference, creditedAt }) =>
          isWhole || inTurn(reference, nowMs) || (creditedAt !== undefined && monthOf(creditedAt) >= recent),
      );
      for (const check of [checkDocuments, checkOrders, checkLots, checkClosings, checkRefunds])
        check(rows, findings);
      return findings.all;
    },
    async checkNumbers(wallets) {
      const before = await documentsOf(wallets);
      const counters = new Map<string, number>();
      for (const series of seriesBeside([...before.values()].flat())) {
        const last = (await table.counterItem(series))?.['last'] ?? 0;
        counters.set(series, Number(last));
      }
      const found: Difference[] = [];
      for (const [series, last] of counters) found.push(...beyondCounter(last, before.get(series) ?? []));
      const hasGap = [...counters].some(
        ([series, last]) => checkNumbers(series, last, before.get(series) ?? []).length > 0,
      );
      // A document may have been issued between the two reads.
      const after = hasGap ? await documentsOf(wallets) : before;
      for (const [series, last] of counters)
        found.push(...checkNumbers(series, last, after.get(series) ?? []));
      return found;
    },
  };
}

/** The series of these documents, those of other kinds in the same years, and those of the next year. */
function seriesBeside(documents: readonly NumberedDocument[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const one of documents)
    for (const atMs of [Date.parse(one.issuedAt), Date.parse(one.issuedAt) + YEAR_MS])
      for (const env of ENVIRONMENTS)
        for (const kind of DOCUMENT_KINDS) {
          const { prefix } = numberIn(one) ?? {};
          if (prefix !== undefined) all.add(seriesOf(env, kind, prefix, atMs));
        }
  return all;
}
