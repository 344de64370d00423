import { accountingMonthOf, monthStartMs } from '../../core/accounting-month.ts';
import { type Clock, MINUTE_MS } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { balanceOf } from '../../ledger/rows/wallet.ts';
import { type CreditTables, creditWallet } from '../../ledger/top-up.ts';
import type { Lot } from './lot.ts';
import { type LotReads, lotPositions, walletShards } from './lot-positions.ts';
import type { DueLot, LotTable } from './lot-table.ts';

/** Takes back unspent credits of expired lots: a negative correction and a withdrawal, in one transaction. */

export interface ExpiryDependencies extends LotReads, CreditTables {
  readonly lots: Pick<LotTable, 'listLots' | 'withdrawItem' | 'listDueLots' | 'endExpiry'>;
  readonly clock: Clock;
}

interface ExpiryReport {
  /** Lots that have no unspent credits left. */
  readonly expiredLots: number;
  /** Whole credits that this run took back. */
  readonly expiredCredits: number;
  /** Held by requests, or of a wallet too busy to be read. A later run takes them back. */
  readonly waitingLots: number;
  readonly failedLots: number;
}

/** For each lot, its wallet's charges since the last closing are read. The function times out after 50 s. */
const MOST_LOTS = 100;
const BEGIN_WITHIN_MS = 25_000;
/** In the first minutes of a month, requests of the previous month may still be charged. */
const SETTLING_MS = 10 * 60_000;

/** `onFailure` receives the error of each that failed. The others are still handled. */
export async function expireLots(
  deps: ExpiryDependencies,
  onFailure: (error: unknown, lot: DueLot) => void,
): Promise<ExpiryReport> {
  const report = { expiredLots: 0, expiredCredits: 0, waitingLots: 0, failedLots: 0 };
  const nowMs = deps.clock.nowMs();
  if (nowMs < monthStartMs(accountingMonthOf(nowMs)) + SETTLING_MS) return report;
  const due = await deps.lots.listDueLots(new Date(nowMs).toISOString());
  for (const lot of fromAnother(due, nowMs).slice(0, MOST_LOTS)) {
    if (deps.clock.nowMs() >= nowMs + BEGIN_WITHIN_MS) break;
    try {
      const { credits, isDone } = await expireLot(lot, deps);
      report.expiredCredits += credits;
      report[isDone ? 'expiredLots' : 'waitingLots'] += 1;
    } catch (error) {
      report.failedLots += 1;
      onFailure(error, lot);
    }
  }
  return report;
}

/** Lots that take long or always fail do not delay the others. */
function fromAnother(due: readonly DueLot[], nowMs: number): DueLot[] {
  const first = Math.floor(nowMs / MINUTE_MS) % due.length;
  return [...due.slice(first), ...due.slice(0, first)];
}

/** The lot is done when nothing unspent is left. */
async function expireLot(
  { wallet, id }: DueLot,
  deps: ExpiryDependencies,
): Promise<{ credits: number; isDone: boolean }> {
  const shards = await walletShards(wallet, deps);
  const { lot, unspent } = await unspentOf(wallet, id, deps);
  const available = await availableIn(wallet, shards, deps);
  const credits = Math.min(unspent, available);
  if (credits > 0) await takeBack(wallet, shards, lot, credits, deps);
  const isDone = credits === unspent;
  if (isDone) await deps.lots.endExpiry(wallet, id);
  return { credits, isDone };
}

async function takeBack(
  wallet: WalletId,
  shards: number,
  lot: Lot,
  credits: number,
  deps: ExpiryDependencies,
): Promise<void> {
  const order = {
    reference: expiryReference(lot),
    kind: 'CORRECTION',
    amount: -credits,
    actor: 'expiry',
    reason: `Credits expired on ${lot.expiresAt?.slice(0, 10)}`,
    lot: lot.id,
    cause: 'expiry',
  } as const;
  await creditWallet(wallet, shards, order, deps, deps.clock, async ({ createdAt, reference }) => {
    const now = await unspentOf(wallet, lot.id, deps);
    if (now.unspent < credits || now.lot.withdrawals.length !== lot.withdrawals.length)
      throw new Error('The lot has changed. The next run expires it.');
    const month = accountingMonthOf(Date.parse(createdAt));
    return [deps.lots.withdrawItem(wallet, now.lot, { kind: 'expired', credits, month, reference })];
  });
}

/** A lot whose credits were held expires in parts. */
function expiryReference({ id, withdrawals }: Lot): string {
  const first = `expiry:${id}`;
  const parts = withdrawals.filter(({ reference }) => reference.startsWith(first)).length;
  return parts === 0 ? first : `${first}:${parts + 1}`;
}

async function unspentOf(
  wallet: WalletId,
  id: string,
  deps: ExpiryDependencies,
): Promise<{ lot: Lot; unspent: number }> {
  const lot = (await deps.lots.listLots(wallet)).find((one) => one.id === id);
  if (!lot) throw new Error(`The lot ${id} is missing.`);
  const positions = await lotPositions(wallet, deps, deps.clock.nowMs());
  return { lot, unspent: Math.min(positions.get(id) ?? 0, lot.remaining) };
}

/** Credits that no request holds; 0 if the wallet was too busy. */
async function availableIn(
  wallet: WalletId,
  shards: number,
  { shards: table }: Pick<ExpiryDependencies, 'shards'>,
): Promise<number> {
  const all = await table.snapshot(wallet, shards);
  return all ? balanceOf(all).available : 0;
}
