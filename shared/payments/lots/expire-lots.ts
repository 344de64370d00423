import { accountingMonthOf, monthStartMs } from '../../core/accounting-month.ts';
import { type Clock, MINUTE_MS } from '../../core/clock.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { balanceOf } from '../../ledger/rows/wallet.ts';
import { type CreditTables, creditWallet } from '../../ledger/top-up.ts';
import type { Lot } from './lot.ts';
import { type LotReads, lotsNow, walletShards } from './lot-positions.ts';
import type { DueLot, LotTable } from './lot-table.ts';

/** Takes back unspent credits of expired lots: a negative correction and a withdrawal, in one transaction. */

export interface ExpiryDependencies extends LotReads, CreditTables {
  readonly lots: Pick<LotTable, 'listLots' | 'getLot' | 'withdrawItem' | 'listDueLots' | 'endExpiry'>;
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

/** The function times out after 50 s. */
const BEGIN_WITHIN_MS = 25_000;
/** Then the reading of a wallet's charges is given up. */
const READ_WITHIN_MS = 35_000;
/** Wallets at a time, so that one that takes long does not delay the others. */
const PARALLEL = 4;
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
  const due = fromAnother(await deps.lots.listDueLots(new Date(nowMs).toISOString()), nowMs);
  const wallets = [...Map.groupBy(due, ({ wallet }) => walletName(wallet)).values()];
  const isOverTime = () => deps.clock.nowMs() >= nowMs + BEGIN_WITHIN_MS;
  const attempt = async (lots: readonly DueLot[], action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      report.failedLots += lots.length;
      if (lots[0]) onFailure(error, lots[0]);
    }
  };
  await inParallel(wallets, PARALLEL, (lots) =>
    attempt(lots, async () => {
      if (isOverTime()) return;
      const wallet = await openWallet(lots, deps, nowMs + READ_WITHIN_MS);
      for (const lot of lots) {
        if (isOverTime()) return;
        await attempt([lot], async () => {
          const { credits, isDone } = await expireLot(lot, wallet, deps);
          report.expiredCredits += credits;
          report[isDone ? 'expiredLots' : 'waitingLots'] += 1;
        });
      }
    }),
  );
  return report;
}

/** Lots and wallets that take long or always fail do not delay the others. */
function fromAnother(due: readonly DueLot[], nowMs: number): DueLot[] {
  const first = Math.floor(nowMs / MINUTE_MS) % due.length;
  return [...due.slice(first), ...due.slice(0, first)];
}

interface OpenWallet {
  readonly shards: number;
  /** By ID, with the unspent credits as what remains. */
  readonly lots: ReadonlyMap<string, Lot>;
}

/** Its charges are read once for all its lots. */
async function openWallet(
  [due]: readonly DueLot[],
  deps: ExpiryDependencies,
  endsAtMs: number,
): Promise<OpenWallet> {
  if (!due) throw new Error('No lot is due.');
  const shards = await walletShards(due.wallet, deps);
  const lots = await lotsNow(due.wallet, deps, deps.clock.nowMs(), () => {
    if (deps.clock.nowMs() >= endsAtMs)
      throw new Error('Reading the charges takes too long. Check that the daily reconciliation seals days.');
  });
  return { shards, lots: new Map(lots.map((lot) => [lot.id, lot])) };
}

/** The lot is done when nothing unspent is left. */
async function expireLot(
  { wallet, id }: DueLot,
  { shards, lots }: OpenWallet,
  deps: ExpiryDependencies,
): Promise<{ credits: number; isDone: boolean }> {
  const { lot, unspent } = await unspentOf(wallet, id, lots, deps);
  const credits = unspent === 0 ? 0 : Math.min(unspent, await availableIn(wallet, shards, deps));
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
    const now = await deps.lots.getLot(wallet, lot.id);
    if (!now || countOf(now) !== countOf(lot))
      throw new Error('The lot has changed. The next run expires it.');
    const month = accountingMonthOf(Date.parse(createdAt));
    return [deps.lots.withdrawItem(wallet, now, { kind: 'expired', credits, month, reference })];
  });
}

/** A lot whose credits were held expires in parts. */
function expiryReference({ id, withdrawals }: Lot): string {
  const first = `expiry:${id}`;
  const parts = withdrawals.filter(({ reference }) => reference.startsWith(first)).length;
  return parts === 0 ? first : `${first}:${parts + 1}`;
}

/** Without those that a closing computes. */
const countOf = ({ withdrawals }: Lot) => withdrawals.filter(({ kind }) => kind !== 'removed').length;

async function unspentOf(
  wallet: WalletId,
  id: string,
  open: OpenWallet['lots'],
  { lots }: Pick<ExpiryDependencies, 'lots'>,
): Promise<{ lot: Lot; unspent: number }> {
  const [lot, then] = [await lots.getLot(wallet, id), open.get(id)];
  if (!lot || !then) throw new Error(`The lot ${id} is missing.`);
  if (countOf(lot) !== countOf(then)) throw new Error('The lot has changed. The next run expires it.');
  return { lot, unspent: Math.max(0, Math.min(then.remaining, lot.remaining)) };
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
