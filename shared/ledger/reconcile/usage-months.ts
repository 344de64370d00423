import { accountingMonthOf, lagosDay } from '../../core/accounting-month.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { type ChargeRow, type Difference, difference } from './rows.ts';

/**
 * Compares the usage that customers see with the charges of the same requests. Usage belongs to the console, which the
 * ledger does not import, so the reconciliation receives a source of usage.
 */

/** The credits of a wallet's usage, for days that are counted completely. */
interface CountedUsage {
  /** Days (`yyyy-mm-dd`, Africa/Lagos): `from` is inclusive, and `before` is exclusive. */
  readonly from: string;
  readonly before: string;
  /** Whole credits by month (`yyyy-mm`). Months without usage are absent. */
  readonly credits: ReadonlyMap<string, number>;
}

export interface UsageSource {
  /** Returns the usage of the current month and the two before it, or undefined if it was never counted. */
  readUsage(wallet: WalletId, nowMs: number): Promise<CountedUsage | undefined>;
}

/** The usage of all wallets, and the charges of the same days. Charges are added one by one in any order. */
export class UsageMonths {
  readonly #wallets = new Map<
    string,
    { readonly wallet: WalletId; readonly usage: CountedUsage; readonly charged: Map<string, number> }
  >();

  addWallet(wallet: WalletId, usage: CountedUsage | undefined): void {
    if (usage) this.#wallets.set(walletName(wallet), { wallet, usage, charged: new Map() });
  }

  /** Adds a charge on the day of its request, as usage does, even if it was decided on the next day. */
  addCharge({ wallet, state, cost, requestedAt }: ChargeRow): void {
    const known = this.#wallets.get(walletName(wallet));
    if (!known || state !== 'CHARGED') return;
    const requestedAtMs = Date.parse(requestedAt);
    const day = lagosDay(requestedAtMs);
    if (day < known.usage.from || day >= known.usage.before) return;
    const month = accountingMonthOf(requestedAtMs);
    known.charged.set(month, (known.charged.get(month) ?? 0) + cost);
  }

  /** Adds the credits charged to a wallet, by the day of the request (`yyyy-mm-dd`, Africa/Lagos). */
  addDays(wallet: WalletId, credits: Readonly<Record<string, number>>): void {
    const known = this.#wallets.get(walletName(wallet));
    for (const [day, cost] of Object.entries(credits))
      if (known && day >= known.usage.from && day < known.usage.before) {
        const month = day.slice(0, 7);
        known.charged.set(month, (known.charged.get(month) ?? 0) + cost);
      }
  }

  differences(): Difference[] {
    return [...this.#wallets.values()].flatMap(({ wallet, usage: { credits }, charged }) => {
      const months = new Set([...credits.keys(), ...charged.keys()]);
      return [...months].sort().flatMap((month) => {
        const [expected, found] = [charged.get(month) ?? 0, credits.get(month) ?? 0];
        const day = `${month}-01`;
        return expected === found ? [] : [difference('usage-differs', wallet, { day }, expected, found)];
      });
    });
  }
}
