import type { Organisation } from '../../accounts/organisation.ts';
import { accountingMonthOf, monthEndMs } from '../../core/accounting-month.ts';
import { ENVIRONMENTS, type Environment } from '../../core/environment.ts';
import type { WalletId } from '../../core/keys.ts';
import { mergeSorted } from '../../core/merge-sorted.ts';
import type { Balance } from '../../ledger/rows/wallet.ts';
import { monthsBetween } from '../../ledger/statement/statement.ts';
import { requireUnchanged } from '../documents/compose-documents.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { LotTable } from '../lots/lot-table.ts';
import type { ClosingTable } from '../months/closing-table.ts';
import type { OrderTable } from '../orders/order-table.ts';
import type { Refund } from '../refunds/refund.ts';
import type { RefundTable } from '../refunds/refund-table.ts';
import type { LedgerLine, LineTable } from './line-table.ts';
import type { WalletMonth } from './wallet-month.ts';

/**
 * The source of reports and exports. Each function reads one wallet, except `listOrganisations` and `liveCalls`.
 * `liveCalls` scans the Wallets table.
 */
export interface AccountsSource {
  listOrganisations(): Promise<readonly Organisation[]>;
  readonly closings: Pick<ClosingTable, 'getClosing' | 'latestClosings'>;
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly documents: Pick<DocumentTable, 'listDocuments'>;
  readonly orders: Pick<OrderTable, 'listOrders'>;
  readonly refunds: Pick<RefundTable, 'getRefund'>;
  readonly lines: LineTable;
  /** Returns undefined if the wallet is too busy for a consistent read. */
  balance(wallet: WalletId, shards: number): Promise<Balance | undefined>;
}

/** A wallet with the organisation that it belongs to. */
export interface ListedWallet {
  readonly wallet: WalletId;
  readonly organisation: Organisation;
}

/** Returns the wallets of all organisations, sorted by name. With `env`, only those of one environment. */
export async function listWallets(
  source: Pick<AccountsSource, 'listOrganisations'>,
  env?: Environment,
): Promise<ListedWallet[]> {
  const organisations = [...(await source.listOrganisations())].sort(byName);
  return organisations.flatMap((organisation) =>
    ENVIRONMENTS.filter((one) => env === undefined || one === env).map((one) => ({
      wallet: { env: one, organisationId: organisation.id },
      organisation,
    })),
  );
}

/**
 * Reads what reports need to know about one month of each wallet of `env` that existed then: four reads for each, and
 * one for each credit note. Calls `onWallet` after each.
 */
export async function readMonth(
  month: string,
  env: Environment,
  source: AccountsSource,
  onWallet: (done: number, all: number) => void = () => undefined,
): Promise<WalletMonth[]> {
  const end = new Date(monthEndMs(month)).toISOString();
  const wallets = (await listWallets(source, env)).filter(({ organisation }) => organisation.createdAt < end);
  const months: WalletMonth[] = [];
  for (const { wallet, organisation } of wallets) {
    const [closing, lots, documents, orders] = await Promise.all([
      source.closings.getClosing(wallet, month),
      source.lots.listLots(wallet),
      source.documents.listDocuments(wallet),
      source.orders.listOrders(wallet),
    ]);
    const { name } = organisation;
    const refunds = await listRefunds(documents, source);
    const issued = requireUnchanged(documents)
      .filter((document) => document.month === month)
      .toReversed();
    const all = { lots, documents: issued, orders: orders.toReversed(), refunds };
    months.push({ wallet, name, month, closing, ...all });
    onWallet(months.length, wallets.length);
  }
  return months;
}

/** The refund of each credit note among a wallet's documents. */
export async function listRefunds(
  documents: readonly FinancialDocument[],
  { refunds }: Pick<AccountsSource, 'refunds'>,
): Promise<Refund[]> {
  const found: Refund[] = [];
  for (const { kind, env, order, number } of documents) {
    if (kind !== 'CREDIT_NOTE' || order === undefined) continue;
    const row = await refunds.getRefund({ env, order, creditNote: number });
    if (row) found.push(row);
  }
  return found;
}

/** Yields the credits and charges of a wallet from `from` (inclusive) to `to` (exclusive), ISO times, oldest first. */
export async function* linesBetween(
  { wallet, organisation }: ListedWallet,
  range: { readonly from: string; readonly to: string },
  { lines }: Pick<AccountsSource, 'lines'>,
): AsyncGenerator<LedgerLine> {
  for (const utcMonth of monthsBetween(range.from, range.to)) {
    const shards = Array.from({ length: organisation.walletShards }, (_, shard) =>
      lines.lines(wallet, utcMonth, shard, range.from, range.to),
    );
    yield* mergeSorted(shards, 'ascending');
  }
}

/** Returns the accounting month of an ISO time. */
export function monthOf(iso: string): string {
  return accountingMonthOf(Date.parse(iso));
}

function byName(a: Organisation, b: Organisation): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}
