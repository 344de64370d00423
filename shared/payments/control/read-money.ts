import * as v from 'valibot';
import { rowName } from '../../audit/row-hashes.ts';
import type { Row } from '../../core/database.ts';
import {
  closingKey,
  documentKey,
  lotKey,
  orderKey,
  priceKey,
  type RowKey,
  refundKey,
  sortByTime,
  type WalletId,
} from '../../core/keys.ts';
import type { CreditRow } from '../../ledger/reconcile/rows.ts';
import { type Credit, credit } from '../../ledger/rows/credit.ts';
import { financialDocument } from '../documents/financial-document.ts';
import { type Lot, lot } from '../lots/lot.ts';
import { closing } from '../months/closing.ts';
import { type TopUpOrder, topUpOrder } from '../orders/order.ts';
import { creditPrice } from '../prices/price.ts';
import { type Refund, refund } from '../refunds/refund.ts';
import { Findings, type MoneyRows } from './money-rows.ts';
import type { MoneyTable } from './money-table.ts';

const PARALLEL = 8;

interface KnownRows {
  readonly nowMs: number;
  readonly known: readonly CreditRow[];
  readonly named: readonly string[];
  readonly others: readonly Row[];
}

/**
 * Reads the money rows of a wallet. Adds those that cannot be read, or that are under a wrong key. `known` are credits
 * that were read before, and `named` the references of more. `hasDueRefunds` selects the orders without credit notes
 * whose refunds are read.
 */
export async function readMoney(
  wallet: WalletId,
  table: MoneyTable,
  { nowMs, known, named, others }: KnownRows,
  hasDueRefunds: (order: TopUpOrder) => boolean,
): Promise<{ readonly rows: MoneyRows; readonly findings: Findings }> {
  const findings = new Findings(wallet);
  // Orders first: their lots and documents are then at least as new.
  const orderItems = await table.orderItems(wallet);
  const [items, stage, own] = await Promise.all([
    table.walletItems(wallet),
    table.priceItems(undefined),
    table.priceItems(wallet.organisationId),
  ]);
  const all: Row[] = [...orderItems, ...items, ...own, ...others];
  const parse = parser(findings);
  const orders = parse(orderItems, topUpOrder, (row) => orderKey(row.env, row.reference));
  const lots = parse(withPrefix(items, 'LOT#'), lot, (row) => lotKey(wallet, row.id));
  const documents = parse(withPrefix(items, 'DOCUMENT#'), financialDocument, (row) =>
    documentKey(wallet, row.number),
  );
  checkListed(orderItems, wallet, findings);
  const refunds = new Map<string, Refund[]>();
  const due = orders.filter((order) => hasRefunds(order, lots, documents) || hasDueRefunds(order));
  for (let first = 0; first < due.length; first += PARALLEL)
    await Promise.all(
      due.slice(first, first + PARALLEL).map(async ({ env, reference }) => {
        const found = await table.refundItems(env, reference);
        all.push(...found);
        const key = (row: Refund) => refundKey(env, reference, row.creditNote);
        refunds.set(reference, parse(found, refund, key));
      }),
    );
  const ofLots = lots.flatMap((one) => [one.reference, ...one.withdrawals.map(({ reference }) => reference)]);
  const creditItems = await table.creditItems(wallet, [...new Set([...ofLots, ...named])]);
  const { credits, owners } = readCredits(creditItems, known, findings);
  const rows: MoneyRows = {
    wallet,
    nowMs,
    items: new Map([...known, ...all, ...creditItems].map((item) => [rowName(item), item])),
    lots,
    orders,
    documents,
    closings: parse(withPrefix(items, 'CLOSE#'), closing, (row) => closingKey(wallet, row.month)),
    refunds,
    credits,
    owners,
    prices: {
      stage: parse(stage, creditPrice, (row) => priceKey(undefined, row.from)),
      organisation: parse(own, creditPrice, (row) => priceKey(wallet.organisationId, row.from)),
    },
  };
  for (const item of items)
    if (!/^(LOT|DOCUMENT|CLOSE)#/.test(String(item['sk']))) addUnreadable(item, findings);
  return { rows, findings };
}

const withPrefix = (items: readonly Row[], prefix: string) =>
  items.filter(({ sk }) => String(sk).startsWith(prefix));

function hasRefunds(
  { reference }: TopUpOrder,
  lots: readonly Lot[],
  documents: readonly v.InferOutput<typeof financialDocument>[],
): boolean {
  const isNoted = documents.some(({ kind, order }) => kind === 'CREDIT_NOTE' && order === reference);
  const ofOrder = lots.filter(({ order }) => order === reference);
  return isNoted || ofOrder.some(({ withdrawals }) => withdrawals.some(({ kind }) => kind === 'refunded'));
}

/** The index lists an order by its wallet and the time at which it was opened. */
function checkListed(items: readonly Row[], wallet: WalletId, findings: Findings): void {
  for (const { reference, openedAt, env, organisationId, ordersSort } of items) {
    const listed = sortByTime(String(openedAt), String(reference));
    if (env === wallet.env && organisationId === wallet.organisationId && ordersSort === listed) continue;
    const row = { at: String(openedAt), reference: String(reference) };
    const expected = `${wallet.env} ${wallet.organisationId} ${ordersSort}`;
    findings.add('row-keys', row, expected, `${env} ${organisationId} ${listed}`);
  }
}

function readCredits(items: readonly Row[], known: readonly CreditRow[], findings: Findings) {
  const credits = new Map<string, Credit>(known.map((row) => [row.reference, row]));
  const owners = new Map<string, string>();
  for (const item of items) {
    const parsed = v.safeParse(credit, item);
    // DynamoDB would delete it.
    if (item['expiresAt'] !== undefined)
      findings.add('row-keys', { ...NO_TIME, reference: rowName(item) }, 'kept', 'expiring');
    if (item['sk'] === 'REFERENCE') owners.set(String(item['reference']), String(item['organisationId']));
    else if (parsed.success) credits.set(parsed.output.reference, parsed.output);
    else addUnreadable(item, findings);
  }
  return { credits, owners };
}

function parser(findings: Findings) {
  return <T>(items: readonly Row[], schema: v.GenericSchema<unknown, T>, keyOf: (row: T) => RowKey): T[] =>
    items.flatMap((item) => {
      const parsed = v.safeParse(schema, item);
      if (!parsed.success) {
        addUnreadable(item, findings);
        return [];
      }
      const { pk, sk } = keyOf(parsed.output);
      if (item['pk'] !== pk || item['sk'] !== sk)
        findings.add('row-keys', NO_TIME, `${pk} ${sk}`, `${item['pk']} ${item['sk']}`);
      return [parsed.output];
    });
}

const NO_TIME = { at: '', reference: '' };

function addUnreadable({ sk }: Row, findings: Findings): void {
  findings.add('unreadable', { ...NO_TIME, reference: String(sk) }, 'a documented row', 'another row');
}
