import type { Row } from '../../core/database.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { ClosedMonths } from './closed-months.ts';
import { DailyTotals } from './daily-totals.ts';
import { chargeFact, isComparable, logFact, mustBeLogged, type OperationFact } from './operation-facts.ts';
import { RepeatedOperations } from './repeated-operations.ts';
import { idempotencyPointer, logPointer, type RowPointer } from './row-pointers.ts';
import {
  type Difference,
  dayOf,
  difference,
  isErasureMarker,
  isReferenceRow,
  logRowProblems,
  readLogRow,
  readWalletsRow,
  unreadable,
  walletOf,
  walletsRowProblems,
} from './rows.ts';
import { isSealRow } from './seal.ts';
import { SealedDays } from './sealed-days.ts';
import { UsageMonths } from './usage-months.ts';
import { type WalletReading, WalletTotals } from './wallet-totals.ts';

export interface ReconciliationSettings {
  /** When the run began. Operations of the preceding 10 minutes may still change and are not compared. */
  readonly nowMs: number;
  /** How long log rows are kept: charges of older requests have none. */
  readonly logRetentionDays: number;
  /** Only this organisation. @default all */
  readonly organisationId?: string | undefined;
}

/**
 * The totals of all wallets, recomputed from rows that are added one by one in any order. Memory use grows with the
 * number of wallets and days, not with the number of requests.
 */
export class LedgerTotals {
  readonly counts = { charges: 0, credits: 0, logs: 0 };
  readonly #settings: ReconciliationSettings;
  readonly #wallets = new Map<string, WalletTotals>();
  readonly #days = new DailyTotals();
  /** Operations with several log rows. */
  readonly repeated = new RepeatedOperations();
  readonly closedMonths = new ClosedMonths();
  readonly usageMonths = new UsageMonths();
  readonly sealedDays = new SealedDays();
  readonly #found: Difference[] = [];
  /** Wallets that have rows, but belonged to no organisation when the run began. */
  readonly #unknown = new Map<string, WalletId>();

  constructor(settings: ReconciliationSettings) {
    this.#settings = settings;
  }

  /** Adds a wallet, with readings of its shards made before the first row is read. */
  addWallet(wallet: WalletId, shardCount: number, readings: readonly WalletReading[]): void {
    this.#wallets.set(walletName(wallet), new WalletTotals(wallet, shardCount, readings));
  }

  /** Adds an item of Wallets. Returns the charge rows that it names, to be looked up. */
  addWalletsRow(item: Row): RowPointer[] {
    if (!this.#isSelected(item) || isReferenceRow(item)) return [];
    if (isSealRow(item)) {
      this.sealedDays.addSeal(item);
      return [];
    }
    const row = readWalletsRow(item);
    if (!row) return this.#report(unreadable(item, this.#today()));
    const totals = this.#totalsOf(row.wallet);
    if (!totals) return [];
    this.#report(...walletsRowProblems(row));
    if (row.sk === 'WALLET') totals.addShard(row);
    else if (row.sk === 'CREDIT') {
      this.counts.credits += 1;
      totals.addCredit(row);
      this.sealedDays.addLine(row, item);
      this.closedMonths.addCredit(row);
    } else if (row.sk === 'CHARGE') {
      this.counts.charges += 1;
      totals.addCharge(row);
      this.sealedDays.addLine(row, item);
      this.closedMonths.addCharge(row);
      this.usageMonths.addCharge(row);
      const fact = chargeFact(row, row.wallet);
      if (this.#isMatched(fact)) this.#days.add('charges', fact);
    }
    return row.sk === 'IDEMPOTENCY' ? idempotencyPointer(row) : [];
  }

  /** Adds an item of VerificationLogs. Returns the charge rows that it names, to be looked up. */
  addLogRow(item: Row): RowPointer[] {
    if (!this.#isSelected(item) || isErasureMarker(item)) return [];
    const row = readLogRow(item);
    if (!row) return this.#report(unreadable(item, this.#today()));
    if (!this.#totalsOf(row.wallet)) return [];
    this.counts.logs += 1;
    this.#report(...logRowProblems(row));
    const fact = logFact(row);
    this.repeated.add(fact);
    this.sealedDays.addLog(row, item);
    if (row.replayOf === undefined && this.#isMatched(fact)) this.#days.add('logs', fact);
    const isUnmatched = row.replayOf !== undefined || !mustBeLogged(fact);
    return isUnmatched && this.#isComparable(fact) ? logPointer(row) : [];
  }

  /** Compares a wallet's totals with a reading made after the last row. A wallet created during the run is skipped. */
  endWallet(wallet: WalletId, shardCount: number, after: WalletReading): void {
    this.#unknown.delete(walletName(wallet));
    const totals = this.#wallets.get(walletName(wallet));
    this.#report(...(totals?.differences(after, shardCount, this.#settings.nowMs) ?? []));
  }

  /** Returns everything found, and the days whose rows must be read again to name the operations that differ. */
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

  /** Returns the differences in months and sealed days, except those that only the source of closed months can find. */
  monthDifferences(): Difference[] {
    const sealed = this.sealedDays.differences(this.#settings.nowMs);
    return [...this.closedMonths.lateCharges, ...this.usageMonths.differences(), ...sealed];
  }

  /** Returns the facts of an item of Wallets that must match a log row, or an empty list for any other item. */
  chargeFacts(item: Row): OperationFact[] {
    const row = readWalletsRow(item);
    return row?.sk === 'CHARGE' ? [chargeFact(row, row.wallet)].filter((fact) => this.#isMatched(fact)) : [];
  }

  /**
   * Returns the facts of an item of VerificationLogs that must match a charge row, or an empty list for any other item.
   */
  logFacts(item: Row): OperationFact[] {
    const row = readLogRow(item);
    return row && row.replayOf === undefined ? [logFact(row)].filter((fact) => this.#isMatched(fact)) : [];
  }

  /** Counts an item of VerificationLogs that is read again, if its operation may have several rows. */
  countLogRow(item: Row): void {
    const row = readLogRow(item);
    if (row) this.repeated.count(logFact(row));
  }

  #isMatched(fact: OperationFact): boolean {
    return this.#wallets.has(walletName(fact.wallet)) && mustBeLogged(fact) && this.#isComparable(fact);
  }

  #isComparable(fact: OperationFact): boolean {
    return isComparable(fact, this.#settings.nowMs, this.#settings.logRetentionDays);
  }

  #isSelected(item: Row): boolean {
    const { organisationId } = this.#settings;
    return organisationId === undefined || walletOf(item)?.organisationId === organisationId;
  }

  #totalsOf(wallet: WalletId): WalletTotals | undefined {
    const totals = this.#wallets.get(walletName(wallet));
    if (!totals) this.#unknown.set(walletName(wallet), wallet);
    return totals;
  }

  #report(...found: readonly Difference[]): [] {
    this.#found.push(...found);
    return [];
  }

  #today(): string {
    return dayOf(this.#settings.nowMs);
  }
}
