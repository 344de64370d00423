import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type AuditEntry, auditEntry } from '../../audit/audit-entry.ts';
import { type AuditRowsTable, auditRowsTable } from '../../audit/audit-rows-table.ts';
import {
  accountingMonthOf,
  monthAfter,
  monthBefore,
  monthEndMs,
  monthStartMs,
} from '../../core/accounting-month.ts';
import { DAY_MS, HOUR_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import type { WalletId } from '../../core/keys.ts';
import { inTurn, type MoneyOptions, type MoneySource } from '../../ledger/reconcile/money.ts';
import type { Difference } from '../../ledger/reconcile/rows.ts';
import { numberIn, seriesOf } from '../documents/document-series.ts';
import { DOCUMENT_KINDS, financialDocument } from '../documents/financial-document.ts';
import { creditPrice } from '../prices/price.ts';
import { checkClosings } from './check-closings.ts';
import { checkDocuments } from './check-documents.ts';
import { checkLots } from './check-lots.ts';
import { beyondCounter, checkCounter, checkNumbers, type NumberedDocument } from './check-numbers.ts';
import { checkOrders } from './check-orders.ts';
import { checkRefunds } from './check-refunds.ts';
import { checkPrices, checkTrail, type ReadTrail } from './check-trail.ts';
import { Findings, monthOf } from './money-rows.ts';
import { type MoneyTable, moneyTable } from './money-table.ts';
import { readMoney } from './read-money.ts';

const YEAR_MS = 365 * DAY_MS;
/** An entry has a time of its own. */
const MARGIN_MS = HOUR_MS;

/** The control of the money rows, for the reconciliation. Writes nothing. */
export function moneySource(
  client: DynamoDBDocumentClient,
  names: Readonly<Record<'payments' | 'wallets' | 'auditTrail', string>>,
): MoneySource {
  const table = moneyTable(client, names);
  const trail = auditRowsTable(client, names.auditTrail);
  return {
    async checkMoney(wallet, { credits, ...options }) {
      const { nowMs, isWhole } = options;
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
      checkTrail(rows, await readTrail(wallet.organisationId, trail, options), findings);
      return findings.all;
    },
    async checkShared(wallets, options) {
      const found = new Findings({ env: 'live', organisationId: '' });
      const prices = await table.priceItems(undefined);
      const parsed = prices.map((item) => v.safeParse(creditPrice, item));
      const known = parsed.flatMap(({ success, output }) => (success ? [output] : []));
      checkPrices(known, await readTrail(undefined, trail, options), found);
      return [...found.all, ...(await checkAllNumbers(wallets, table))];
    },
  };
}

async function checkAllNumbers(wallets: readonly WalletId[], table: MoneyTable): Promise<Difference[]> {
  const documentsOf = async () => {
    const all: NumberedDocument[] = [];
    for (const wallet of wallets)
      for (const item of await table.documentItems(wallet)) {
        const { success, output } = v.safeParse(financialDocument, item);
        if (success) all.push({ ...output, wallet });
      }
    return Map.groupBy(all, (one) => numberIn(one)?.series);
  };
  const before = await documentsOf();
  const counters = new Map<string, Row>();
  for (const series of seriesBeside([...before.values()].flat()))
    counters.set(series, (await table.counterItem(series)) ?? { last: 0 });
  const lastOf = ({ last }: Row) => Number(last ?? 0);
  const gapsIn = (documents: typeof before) =>
    [...counters].flatMap(([series, counter]) => [
      ...checkNumbers(series, lastOf(counter), documents.get(series) ?? []),
      ...checkCounter(counter, documents.get(series) ?? []),
    ]);
  // A document may have been issued between the two reads.
  const after = gapsIn(before).length > 0 ? await documentsOf() : before;
  return [
    ...[...counters].flatMap(([series, row]) => beyondCounter(lastOf(row), before.get(series) ?? [])),
    ...gapsIn(after),
  ];
}

/** The entries since the last month began, and those of older months in turn. */
async function readTrail(
  organisationId: string | undefined,
  table: Pick<AuditRowsTable, 'partitionPages'>,
  { nowMs, createdAt, isWhole }: MoneyOptions,
): Promise<ReadTrail> {
  const recent = monthBefore(accountingMonthOf(nowMs));
  const isRead = (month: string) => isWhole || month >= recent || inTurn(`${organisationId} ${month}`, nowMs);
  const entries: AuditEntry[] = [];
  const last = accountingMonthOf(nowMs);
  for (let month = accountingMonthOf(Date.parse(createdAt)); month <= last; month = monthAfter(month)) {
    if (!isRead(month)) continue;
    const range = { fromMs: monthStartMs(month) - MARGIN_MS, toMs: monthEndMs(month) + MARGIN_MS };
    for await (const page of table.partitionPages(organisationId, range))
      entries.push(...page.flatMap((row) => entryIn(row)));
  }
  return { entries, covers: (at) => isRead(monthOf(at)) };
}

/** The reconciliation reports one that was changed. */
function entryIn(row: Row): AuditEntry[] {
  const { success, output } = v.safeParse(auditEntry, row);
  return success ? [output] : [];
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
