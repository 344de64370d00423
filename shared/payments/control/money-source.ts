import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type AuditEntry, auditEntry } from '../../audit/audit-entry.ts';
import { type AuditRowsTable, auditRowsTable } from '../../audit/audit-rows-table.ts';
import { rowName } from '../../audit/row-hashes.ts';
import {
  accountingMonthOf,
  monthAfter,
  monthBefore,
  monthEndMs,
  monthStartMs,
} from '../../core/accounting-month.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { lotKey, type WalletId } from '../../core/keys.ts';
import { inTurn, type MoneyOptions, type MoneySource } from '../../ledger/reconcile/money.ts';
import type { Difference } from '../../ledger/reconcile/rows.ts';
import { sealTable } from '../../ledger/reconcile/seal-table.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../ledger/statement/statement-table.ts';
import { numberIn, seriesOf } from '../documents/document-series.ts';
import { DOCUMENT_KINDS, financialDocument } from '../documents/financial-document.ts';
import { type LotReads, lotPositions } from '../lots/lot-positions.ts';
import { lotTable } from '../lots/lot-table.ts';
import { closingTable } from '../months/closing-table.ts';
import { creditPrice } from '../prices/price.ts';
import type { MoneySettings } from '../settings.ts';
import { checkClosings, checkReopenings } from './check-closings.ts';
import { checkDocuments } from './check-documents.ts';
import { checkDue } from './check-due.ts';
import { checkLots } from './check-lots.ts';
import {
  beyondCounter,
  checkCounter,
  checkNumbers,
  checkPayments,
  type NumberedDocument,
} from './check-numbers.ts';
import { checkOrders } from './check-orders.ts';
import { checkRefundStates, checkRefunds } from './check-refunds.ts';
import { checkPrices, checkTrail, creditsIn, type ReadTrail } from './check-trail.ts';
import { Findings, type MoneyRows, monthOf } from './money-rows.ts';
import { type MoneyTable, moneyTable } from './money-table.ts';
import { readMoney } from './read-money.ts';

const YEAR_MS = 365 * DAY_MS;
const NEVER = '9999';
/** An entry has a time of its own. */
const MARGIN_MS = HOUR_MS;

/** The control of the money rows, for the reconciliation. Writes nothing. */
export function moneySource(
  client: DynamoDBDocumentClient,
  names: Readonly<Record<'payments' | 'wallets' | 'auditTrail', string>>,
  settings: Pick<MoneySettings, 'vat'> | undefined,
): MoneySource {
  const table = moneyTable(client, names);
  const trail = auditRowsTable(client, names.auditTrail);
  const reads = {
    lots: lotTable(client, names.payments),
    closings: closingTable(client, names.payments),
    statement: statementTable(client, names.wallets, MONTH_PAGE_ROWS),
    seals: sealTable(client, names.wallets),
  };
  return {
    async checkMoney(wallet, { credits, shards, ...options }) {
      const { nowMs, isWhole, createdAt } = options;
      const recent = monthBefore(accountingMonthOf(nowMs));
      const billing = await table.billingItem(wallet.organisationId);
      const changedMs = Date.parse(String(billing?.['changedAt']));
      const read = await readTrail(wallet.organisationId, trail, options, changedMs);
      const { rows, findings } = await readMoney(
        wallet,
        table,
        { nowMs, known: credits, named: creditsIn(read, wallet), others: billing ? [billing] : [] },
        ({ reference, creditedAt }) =>
          isWhole || inTurn(reference, nowMs) || (creditedAt !== undefined && monthOf(creditedAt) >= recent),
      );
      const getOrganisation = async () => ({ walletShards: shards, createdAt });
      const unspent = await expiredUnspent(rows, { ...reads, organisations: { getOrganisation } });
      const ofDue = () => checkDue(rows, ({ id }) => unspent.get(id) ?? 0, findings);
      const ofOrders = () => checkOrders(rows, settings?.vat ?? [], findings);
      const ofTrail = () => {
        checkTrail(rows, read, findings);
        checkReopenings(rows, read, findings);
        checkRefundStates(rows, read, findings);
      };
      for (const check of [checkDocuments, checkLots, checkClosings, checkRefunds, ofOrders, ofTrail, ofDue])
        attempt(() => check(rows, findings), findings);
      return findings.all;
    },
    async checkShared(wallets, options) {
      const found = new Findings({ env: 'live', organisationId: '' });
      const prices = await table.priceItems(undefined);
      const parsed = prices.map((item) => v.safeParse(creditPrice, item));
      const known = parsed.flatMap(({ success, output }) => (success ? [output] : []));
      checkPrices(known, prices, await readTrail(undefined, trail, options), found);
      return [...found.all, ...(await checkAllNumbers(wallets, table))];
    },
  };
}

/** The unspent credits of lots that are not due to expire any more, which are computed only if there may be some. */
async function expiredUnspent({ wallet, nowMs, lots, items }: MoneyRows, reads: LotReads) {
  const isDue = (id: string) => items.get(rowName(lotKey(wallet, id)))?.['dueKey'] !== undefined;
  const isPossible = lots.some(({ id, expiresAt, remaining }) => expiresAt && remaining > 0 && !isDue(id));
  return isPossible ? lotPositions(wallet, reads, nowMs) : new Map<string, number>();
}

/** A row with an impossible value, such as a time that is none, does not stop the control of the others. */
function attempt(check: () => void, findings: Findings): void {
  try {
    check();
  } catch (error) {
    const found = error instanceof Error ? error.message : 'another value';
    findings.add('unreadable', { at: '', reference: '' }, 'values that can be compared', found);
  }
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
    ...checkPayments([...before.values()].flat()),
    ...[...counters].flatMap(([series, row]) => beyondCounter(lastOf(row), before.get(series) ?? [])),
    ...gapsIn(after),
  ];
}

/** The entries since the last month began, those of one more month, and those of older ones in turn. */
async function readTrail(
  organisationId: string | undefined,
  table: Pick<AuditRowsTable, 'partitionPages'>,
  { nowMs, createdAt, isWhole }: MoneyOptions,
  alsoMs = Number.NaN,
): Promise<ReadTrail> {
  const recent = monthBefore(accountingMonthOf(nowMs));
  const also = Number.isNaN(alsoMs) ? '' : accountingMonthOf(alsoMs);
  const isRead = (month: string) =>
    isWhole || month === also || month >= recent || inTurn(`${organisationId} ${month}`, nowMs);
  const entries: AuditEntry[] = [];
  const last = accountingMonthOf(nowMs);
  const months: string[] = [];
  for (let month = accountingMonthOf(Date.parse(createdAt)); month <= last; month = monthAfter(month))
    months.push(month);
  for (const month of months.filter(isRead)) {
    const range = { fromMs: monthStartMs(month) - MARGIN_MS, toMs: monthEndMs(month) + MARGIN_MS };
    for await (const page of table.partitionPages(organisationId, range))
      entries.push(...page.flatMap((row) => entryIn(row)));
  }
  const hashed = entries.filter(({ rows }) => rows !== undefined).map(({ at }) => Date.parse(at));
  // While a new version is deployed, some functions do not write hashes yet.
  const hashedFrom = hashed.length > 0 ? new Date(Math.min(...hashed) + DAY_MS).toISOString() : NEVER;
  // The entries were read before the rows.
  const until = new Date(nowMs - MINUTE_MS).toISOString();
  return {
    ...{ entries, hashedFrom, covers: (at) => at < until && isRead(monthOf(at)) },
    coversSince: (month) => months.every((one) => one < month || isRead(one)),
  };
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
