import type { TransactItem } from '../audit/audit-table.ts';
import type { Clock } from '../core/clock.ts';
import { newOperationId } from '../core/ids.ts';
import type { WalletId } from '../core/keys.ts';
import { notPossible } from '../core/not-possible.ts';
import { jitterMs } from './dependencies.ts';
import { type Credit, creditProblem, effectiveTimeProblem, monthOfCredit } from './rows/credit.ts';
import { evenTransfers, gatherTransfers } from './rows/wallet.ts';
import type { CreditTable } from './tables/credit-table.ts';
import type { ShardTable } from './tables/shard-table.ts';

/** Error messages are for the operator. */

export type CreditOrder = Pick<
  Credit,
  'reference' | 'kind' | 'amount' | 'actor' | 'reason' | 'effectiveAt' | 'lot' | 'cause'
>;

/**
 * The items for the transaction of a credit, such as its lot. Called before each attempt. If it throws, nothing is
 * changed.
 */
type Accompanying = (row: Credit) => Promise<readonly TransactItem[]>;

export interface CreditTables {
  readonly credits: CreditTable;
  readonly shards: ShardTable;
}

const MAX_ATTEMPTS = 20;

/**
 * Credits a wallet, or debits it with a negative correction, once per reference. Returns the stored row, and whether it
 * existed before. A positive credit names a new lot, which `accompanying` writes.
 */
export async function creditWallet(
  wallet: WalletId,
  shards: number,
  order: CreditOrder,
  tables: CreditTables,
  clock: Clock,
  accompanying: Accompanying = async () => [],
): Promise<{ row: Credit; existed: boolean }> {
  const problem = creditProblem(order) ?? effectiveTimeProblem(order, clock.nowMs());
  if (problem) throw notPossible(problem);
  // Checked before the balance, so that a correction that emptied the wallet can be repeated.
  if (await tables.credits.getCredit(wallet, order.reference))
    return { row: await storedCredit(wallet, order, tables), existed: true };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const shard = await chooseShard(wallet, shards, order.amount, tables);
    const row = newRow(order, shard, clock.nowMs());
    const result = await tables.credits.addCredit(wallet, row, await accompanying(row));
    if (result === 'exists') return { row: await storedCredit(wallet, order, tables), existed: true };
    if (result === 'taken') throw referenceTaken(order);
    if (result === 'applied') {
      if (shards > 1) await evenOut(wallet, shards, tables.shards, clock);
      return { row, existed: false };
    }
    // An attempt that began before the end of a month may end after it. The next attempt then books into the new month.
    if (result === 'closed' && monthOfCredit(newRow(order, shard, clock.nowMs())) === monthOfCredit(row))
      throw monthClosed(monthOfCredit(row));
    // A positive credit is `short` only if the shard does not exist yet.
    if (result === 'short' && order.amount > 0) await tables.shards.createShard(wallet, row.shard);
    await clock.pause(jitterMs(attempts, clock));
  }
  throw notPossible('The wallet is too busy. Nothing was changed. Run the same command again.');
}

function newRow(order: CreditOrder, shard: number, nowMs: number): Credit {
  const createdAt = new Date(nowMs).toISOString();
  const { effectiveAt = createdAt } = order;
  const lot = order.amount > 0 ? newOperationId(nowMs) : order.lot;
  return {
    ...order,
    shard,
    createdAt,
    effectiveAt,
    month: monthOfCredit({ createdAt }),
    ...(lot && { lot }),
  };
}

/** Throws as `creditWallet` would, so that no one is asked to approve a credit that would fail. */
export async function checkCreditOrder(
  wallet: WalletId,
  shards: number,
  order: Pick<Credit, 'reference' | 'kind' | 'amount'>,
  tables: CreditTables,
): Promise<void> {
  const holder =
    order.kind === 'TOP_UP'
      ? await tables.credits.getReferenceHolder(wallet.env, order.reference)
      : undefined;
  if (holder !== undefined && holder !== wallet.organisationId) throw referenceTaken(order);
  const all = order.amount < 0 ? await tables.shards.snapshot(wallet, shards) : undefined;
  if (all) requireAvailable(all, order.amount);
}

/** Returns false if the wallet was too busy: try again. */
export async function evenOut(
  wallet: WalletId,
  shards: number,
  table: ShardTable,
  clock: Clock,
): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const all = await table.snapshot(wallet, shards);
    const transfers = all && evenTransfers(all);
    if (transfers && (transfers.length === 0 || (await table.transfer(wallet, transfers)))) return true;
    await clock.pause(jitterMs(attempts, clock));
  }
  return false;
}

/** A negative correction needs a shard that covers it: gathers credits there if necessary. */
async function chooseShard(
  wallet: WalletId,
  shards: number,
  amount: number,
  tables: CreditTables,
): Promise<number> {
  if (amount > 0) return 0;
  const all = await tables.shards.snapshot(wallet, shards);
  // Concurrent writes cancelled the read. If this shard does not cover the correction, the next attempt reads again.
  if (!all) return 0;
  requireAvailable(all, amount);
  // The limit on holds does not apply to a correction.
  const unheld = all.map((shard) => ({ ...shard, holds: {} }));
  const transfers = gatherTransfers(unheld, -amount) ?? [];
  if (transfers.length > 1) await tables.shards.transfer(wallet, transfers);
  return transfers[0]?.shard ?? 0;
}

/** A wallet without shards has no credits. */
function requireAvailable(all: readonly { readonly available: number }[], amount: number): void {
  const total = all.reduce((sum, { available }) => sum + available, 0);
  if (total < -amount)
    throw notPossible(`The wallet's available balance is only ${total}, so ${-amount} cannot be removed.`);
}

function monthClosed(month: string): Error {
  return notPossible(
    `The month ${month} of this wallet is closed, so nothing can be booked into it. Check the clock, or reopen the month. Nothing was changed.`,
  );
}

function referenceTaken({ reference }: Pick<Credit, 'reference'>): Error {
  return notPossible(
    `The reference ${reference} is already used for a top-up of another organisation. Check which organisation has paid. Nothing was changed.`,
  );
}

async function storedCredit(
  wallet: WalletId,
  order: CreditOrder,
  { credits }: CreditTables,
): Promise<Credit> {
  const row = await credits.getCredit(wallet, order.reference);
  if (!row) throw notPossible('The credit could not be read back. Run the same command again.');
  if (row.amount !== order.amount || row.kind !== order.kind)
    throw notPossible(
      `The reference ${order.reference} is already used for a ${row.kind === 'TOP_UP' ? 'top-up' : 'correction'} of ${row.amount}. Use another reference.`,
    );
  return row;
}
