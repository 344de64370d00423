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
import { lotKey, orderOfPk, REFUND_PREFIX, type WalletId } from '../../core/keys.ts';
import { inTurn, type MoneyOptions, type MoneySource, partOfDay } from '../../ledger/reconcile/money.ts';
import { type Difference, difference } from '../../ledger/reconcile/rows.ts';
import { sealTable } from '../../ledger/reconcile/seal-table.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../ledger/statement/statement-table.ts';
import { numberIn, seriesOf } from '../documents/document-series.ts';
import { DOCUMENT_KINDS, financialDocument } from '../documents/financial-document.ts';
import { type LotReads, lotPositions } from '../lots/lot-positions.ts';
import { lotTable } from '../lots/lot-table.ts';
import { closingTable } from '../months/closing-table.ts';
import { creditPrice } from '../prices/price.ts';
import { refund } from '../refunds/refund.ts';
import type { MoneySettings } from '../settings.ts';
import { checkClosings, checkReopened } from './check-closings.ts';
import { checkDocuments } from './check-documents.ts';
import { checkDue } from './check-due.ts';
import { checkLots } from './check-lots.ts';
import {
  beyondCounter,
  checkCounter,
  checkNumbers,
  checkPayments,
  lastNumber,
  type NumberedDocument,
} from './check-numbers.ts';
import { checkOrders } from './check-orders.ts';
import { checkOrganisation } from './check-organisation.ts';
import { checkOwners } from './check-owners.ts';
import { checkOpenRefund, checkRefundStates, checkRefunds } from './check-refunds.ts';
import { checkPrices, checkTrail, creditsIn, firstOpeningMs, type ReadTrail } from './check-trail.ts';
import { checkValues } from './check-values.ts';
import { Findings, type MoneyRows, monthOf } from './money-rows.ts';
import { type MoneyTable, moneyTable } from './money-table.ts';
import { readMoney } from './read-money.ts';

const YEAR_MS = 365 * DAY_MS;
/** Its rows belong to no organisation. */
const STAGE = { env: 'live', organisationId: '' } as const;
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
  const readEntries = trailReader(trail);
  return {
    async checkMoney(wallet, { credits, shards, prices, ...given }) {
      const options = { ...given, isWhole: given.isWhole || inTurn(wallet.organisationId, given.nowMs) };
      const { nowMs, isWhole, createdAt } = options;
      const recent = monthBefore(accountingMonthOf(nowMs));
      const { organisationId } = wallet;
      const billing = await table.billingItem(organisationId);
      const times = timesOf(await table.priceItems(organisationId));
      const month = Date.parse(String(billing?.['changedAt']));
      const read = await readEntries(organisationId, options, { month, times });
      const { rows, findings } = await readMoney(
        wallet,
        table,
        { nowMs, known: credits, named: creditsIn(read, wallet), others: billing ? [billing] : [] },
        ({ creditedAt }) => isWhole || (creditedAt !== undefined && monthOf(creditedAt) >= recent),
      );
      const automatic = wallet.env === 'live' ? await table.automaticItem(organisationId) : undefined;
      const ofOrganisation = () =>
        checkOrganisation({ ...rows, createdAt, prices, billing, automatic }, read, findings);
      const items = [...rows.items.values(), ...(automatic ? [automatic] : [])];
      const ofValues = () => checkValues(items, nowMs, findings);
      const getOrganisation = async () => ({ walletShards: shards, createdAt });
      const unspent = await expiredUnspent(rows, { ...reads, organisations: { getOrganisation } });
      const ofDue = () => checkDue(rows, ({ id }) => unspent.get(id) ?? 0, findings);
      const ofOrders = () => checkOrders(rows, settings?.vat ?? [], findings);
      const ofTrail = [checkTrail, checkReopened, checkRefundStates].map(
        (check) => () => check(rows, read, findings),
      );
      const own = [ofOrders, ...ofTrail, ofOrganisation, ofValues, ofDue];
      for (const check of [checkDocuments, checkLots, checkClosings, checkRefunds, ...own])
        attempt(() => check(rows, findings), findings);
      return findings.all;
    },
    async checkShared(wallets, options) {
      const found = new Findings(STAGE);
      const prices = await table.priceItems(undefined);
      const parsed = prices.map((item) => v.safeParse(creditPrice, item));
      const known = parsed.flatMap(({ success, output }) => (success ? [output] : []));
      const isTurn = inTurn('STAGE', options.nowMs);
      const ofStage = { ...options, isWhole: options.isWhole || isTurn };
      const read = await readEntries(undefined, ofStage, { times: timesOf(prices) });
      checkPrices(known, prices, read, found);
      checkValues(prices, options.nowMs, found);
      const { series, differences } = await checkAllNumbers(wallets, table, read.hashedFrom);
      const part = options.isWhole ? { segment: 0, segments: 1 } : partOfDay(options.nowMs);
      for await (const page of table.partPages(part)) checkOwners(page, wallets, series, found);
      const refunds = await checkOpenRefunds(table, options.nowMs, readEntries);
      return [...found.all, ...differences, ...refunds];
    },
  };
}

/** Those of old orders and of unpaid ones are otherwise read only in turns, and somebody may pay them before. */
async function checkOpenRefunds(
  table: MoneyTable,
  nowMs: number,
  readEntries: (organisationId: string, options: MoneyOptions) => Promise<ReadTrail>,
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  const due = (await table.dueItems()).filter(({ sk }) => String(sk).startsWith(REFUND_PREFIX));
  for (const pk of new Set(due.map((item) => String(item['pk'])))) {
    const { env, reference } = orderOfPk(pk);
    for (const item of await table.refundItems(env, reference)) {
      const { success, output: open } = v.safeParse(refund, item);
      if (!success || open.state === 'DONE') continue;
      const findings = new Findings(open);
      const [note] = await table.documentItems(open, open.creditNote);
      // `checkMoney` compares the states of later ones.
      const isOld = monthOf(open.requestedAt) < monthBefore(accountingMonthOf(nowMs));
      const since = { nowMs, createdAt: open.requestedAt, isWhole: true };
      checkOpenRefund(
        open,
        note,
        isOld ? await readEntries(open.organisationId, since) : undefined,
        findings,
      );
      found.push(...findings.all);
    }
  }
  return found;
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

async function checkAllNumbers(
  wallets: readonly WalletId[],
  table: MoneyTable,
  hashedFrom: string,
): Promise<{ readonly series: ReadonlySet<string>; readonly differences: readonly Difference[] }> {
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
  const known = seriesBeside([...before.values()].flat());
  const counters = new Map<string, Row>();
  const unreadable: Difference[] = [];
  for (const series of known) {
    const row = (await table.counterItem(series)) ?? { last: 0 };
    counters.set(series, row);
    if (row['pk'] !== undefined && lastNumber(row) === undefined)
      unreadable.push(
        difference('unreadable', STAGE, { day: '', reference: series }, 'a counter', 'another row'),
      );
  }
  const lastOf = (row: Row) => lastNumber(row) ?? 0;
  const gapsIn = (documents: typeof before) =>
    [...counters].flatMap(([series, counter]) => [
      ...checkNumbers(series, lastOf(counter), documents.get(series) ?? []),
      ...checkCounter(counter, documents.get(series) ?? [], hashedFrom),
    ]);
  // A document may have been issued between the two reads.
  const after = gapsIn(before).length > 0 ? await documentsOf() : before;
  const all = [...before.values()].flat();
  const beyond = [...counters].flatMap(([series, row]) =>
    beyondCounter(lastOf(row), before.get(series) ?? []),
  );
  return { series: known, differences: [...unreadable, ...beyond, ...gapsIn(after), ...checkPayments(all)] };
}

/** Of older months, in epoch milliseconds, and ISO times. */
interface AlsoRead {
  readonly month?: number;
  readonly times?: readonly string[];
}

function trailReader(trail: Pick<AuditRowsTable, 'partitionPages'>) {
  /** The time of the stage's first entry with hashes: no function wrote rows without hashes a day later. */
  let stageMs = Number.POSITIVE_INFINITY;
  /** That of the first opening in any wallet that was read: all have the same functions. */
  let openedMs = Number.POSITIVE_INFINITY;
  return async (
    owner: string | undefined,
    options: MoneyOptions,
    also: AlsoRead = {},
  ): Promise<ReadTrail> => {
    if (!Number.isFinite(stageMs)) stageMs = await firstHashMs(trail);
    const read = await readTrail(owner, trail, options, stageMs, also);
    openedMs = Math.min(openedMs, firstOpeningMs(read.entries));
    return { ...read, openedFromMs: openedMs + DAY_MS };
  };
}

/** The entries since the last month began, those of one more month, and those about these times. */
async function readTrail(
  organisationId: string | undefined,
  table: Pick<AuditRowsTable, 'partitionPages'>,
  { nowMs, createdAt, isWhole }: MoneyOptions,
  stageMs: number,
  { month: alsoMs = Number.NaN, times = [] }: AlsoRead,
): Promise<Omit<ReadTrail, 'openedFromMs'>> {
  const recent = monthBefore(accountingMonthOf(nowMs));
  const also = Number.isNaN(alsoMs) ? '' : accountingMonthOf(alsoMs);
  const isRead = (month: string) => isWhole || month === also || month >= recent;
  const entries: AuditEntry[] = [];
  const read = async (fromMs: number, toMs: number) => {
    const range = { fromMs: fromMs - MARGIN_MS, toMs: toMs + MARGIN_MS };
    for await (const page of table.partitionPages(organisationId, range))
      entries.push(...page.flatMap((row) => entryIn(row)));
  };
  const last = accountingMonthOf(nowMs);
  for (let month = accountingMonthOf(Date.parse(createdAt)); month <= last; month = monthAfter(month)) {
    if (!isRead(month)) continue;
    await read(monthStartMs(month), monthEndMs(month));
  }
  const others = new Set(times.filter((at) => !Number.isNaN(Date.parse(at)) && !isRead(monthOf(at))));
  for (const at of others) await read(Date.parse(at), Date.parse(at));
  const hashed = entries.filter(({ rows }) => rows !== undefined).map(({ at }) => Date.parse(at));
  const firstMs = Math.min(stageMs, ...hashed);
  // While a new version is deployed, some functions do not write hashes yet.
  const hashedFrom = Number.isFinite(firstMs) ? new Date(firstMs + DAY_MS).toISOString() : NEVER;
  const completeFrom = isWhole ? '' : new Date(monthStartMs(recent)).toISOString();
  // The entries were read before the rows.
  const until = new Date(nowMs - MINUTE_MS).toISOString();
  const covers = (at: string) => at < until && (others.has(at) || isRead(monthOf(at)));
  return { entries, hashedFrom, completeFrom, covers };
}

const timesOf = (prices: readonly Row[]) => prices.map(({ createdAt }) => String(createdAt));

async function firstHashMs(table: Pick<AuditRowsTable, 'partitionPages'>): Promise<number> {
  for await (const page of table.partitionPages(undefined))
    for (const { rows, at } of page.flatMap((row) => entryIn(row)))
      if (rows !== undefined) return Date.parse(at);
  return Number.POSITIVE_INFINITY;
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
