import type { Row } from '../../core/database.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { DailyTotals } from './daily-totals.ts';
import { type Difference, dayOf, difference } from './difference.ts';
import { chargeFact, isComparable, logFact, mustBeLogged, type OperationFact } from './operation-facts.ts';
import { idempotencyPointer, logPointer, type RowPointer } from './row-pointers.ts';
import {
  logRowProblems,
  readLogRow,
  readWalletsRow,
  unreadable,
  walletOf,
  walletsRowProblems,
} from './rows.ts';
import { type WalletReading, WalletTotals } from './wallet-totals.ts';

export interface ReconciliationSettings {
  /** The instant of the run. Operations of the 10 minutes before it may still be moving and are not matched. */
  readonly nowMs: number;
  /** How long log rows are kept (decision E6): the charges of older requests have none any more. */
  readonly logRetentionDays: number;
  /** Only this organisation. @default all */
  readonly organisationId?: string | undefined;
}

/**
 * The books of all wallets, recomputed from rows that are taken one by one, in any order. Pure: rows in, differences
 * out. What it keeps grows with wallets and days, not with requests.
 */
export class LedgerTotals {
  readonly counts = { charges: 0, credits: 0, logs: 0 };
  readonly #settings: ReconciliationSettings;
  readonly #wallets = new Map<string, WalletTotals>();
  readonly #days = new DailyTotals();
  readonly #found: Difference[] = [];
  /** Wallets of rows that no organisation owned when the books were opened. */
  readonly #unknown = new Map<string, WalletId>();

  constructor(settings: ReconciliationSettings) {
    this.#settings = settings;
  }

  /** Opens a wallet's books, with readings of its shards from before the first row. */
  open(wallet: WalletId, shardCount: number, readings: readonly WalletReading[]): void {
    this.#wallets.set(walletName(wallet), new WalletTotals(wallet, shardCount, readings));
  }

  /** Takes an item of Wallets; returns what it points to, for a look-up. */
  takeWalletsRow(item: Row): RowPointer[] {
    if (!this.#isAsked(item)) return [];
    const row = readWalletsRow(item);
    if (!row) return this.#tell(unreadable(item, this.#today()));
    const totals = this.#totalsOf(row.wallet);
    if (!totals) return [];
    this.#tell(...walletsRowProblems(row));
    if (row.sk === 'WALLET') totals.addShard(row);
    else if (row.sk === 'CREDIT') {
      this.counts.credits += 1;
      totals.addCredit(row);
    } else if (row.sk === 'CHARGE') {
      this.counts.charges += 1;
      totals.addCharge(row);
      const fact = chargeFact(row, row.wallet);
      if (this.#isMatched(fact)) this.#days.add('charges', fact);
    }
    return row.sk === 'IDEMPOTENCY' ? idempotencyPointer(row) : [];
  }

  /** Takes an item of VerificationLogs; returns what it points to, for a look-up. */
  takeLogRow(item: Row): RowPointer[] {
    if (!this.#isAsked(item)) return [];
    const row = readLogRow(item);
    if (!row) return this.#tell(unreadable(item, this.#today()));
    if (!this.#totalsOf(row.wallet)) return [];
    this.counts.logs += 1;
    this.#tell(...logRowProblems(row));
    const fact = logFact(row);
    if (row.replayOf === undefined && this.#isMatched(fact)) this.#days.add('logs', fact);
    const isUnmatched = row.replayOf !== undefined || !mustBeLogged(fact);
    return isUnmatched && this.#isComparable(fact) ? logPointer(row) : [];
  }

  /** Ends a wallet's books, with a reading from after the last row. A wallet that is newer than the run is known now. */
  close(wallet: WalletId, shardCount: number, after: WalletReading): void {
    this.#unknown.delete(walletName(wallet));
    const totals = this.#wallets.get(walletName(wallet));
    this.#tell(...(totals?.differences(after, shardCount, this.#settings.nowMs) ?? []));
  }

  /** All that was found, and the days whose operations are to be named by a second look at their rows. */
  differences(maxRows: number): {
    readonly found: readonly Difference[];
    readonly named: ReadonlySet<string>;
  } {
    const { named, whole } = this.#days.differing(maxRows);
    const unknown = [...this.#unknown.values()].map((wallet) =>
      difference('unknown-wallet', wallet, { day: this.#today() }, 'an organisation', 'none'),
    );
    return { found: [...this.#found, ...unknown, ...whole], named };
  }

  /** The facts of an item of Wallets, or none where nothing needs to match it. */
  chargeFacts(item: Row): OperationFact[] {
    const row = readWalletsRow(item);
    return row?.sk === 'CHARGE' ? [chargeFact(row, row.wallet)].filter((fact) => this.#isMatched(fact)) : [];
  }

  /** The facts of an item of VerificationLogs, or none where nothing needs to match it. */
  logFacts(item: Row): OperationFact[] {
    const row = readLogRow(item);
    return row && row.replayOf === undefined ? [logFact(row)].filter((fact) => this.#isMatched(fact)) : [];
  }

  #isMatched(fact: OperationFact): boolean {
    return this.#wallets.has(walletName(fact.wallet)) && mustBeLogged(fact) && this.#isComparable(fact);
  }

  #isComparable(fact: OperationFact): boolean {
    return isComparable(fact, this.#settings.nowMs, this.#settings.logRetentionDays);
  }

  #isAsked(item: Row): boolean {
    const { organisationId } = this.#settings;
    return organisationId === undefined || walletOf(item)?.organisationId === organisationId;
  }

  #totalsOf(wallet: WalletId): WalletTotals | undefined {
    const totals = this.#wallets.get(walletName(wallet));
    if (!totals) this.#unknown.set(walletName(wallet), wallet);
    return totals;
  }

  #tell(...found: readonly Difference[]): [] {
    this.#found.push(...found);
    return [];
  }

  #today(): string {
    return dayOf(this.#settings.nowMs);
  }
}
