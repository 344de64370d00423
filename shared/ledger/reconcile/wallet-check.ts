import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { type CheckedDay, checkDay, type DaySource } from './check-day.ts';
import type { ClosedMonthFacts, ClosedMonthSource } from './closed-months.ts';
import type { MoneySource, ReconciledWallet } from './money.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { type ChargeRow, type CreditRow, type Difference, dayOf } from './rows.ts';
import { emptySums, type Seal, type SealHead } from './seal.ts';
import type { SealTable } from './seal-table.ts';
import type { UsageSource } from './usage-months.ts';

export interface WalletSource extends DaySource, Pick<ReconcileTable, 'readShards'> {
  readonly seals: Pick<SealTable, 'getHeads' | 'getSeal' | 'seals' | 'putSeal' | 'putHead'>;
  /** Whether a day is known to have no rows, so that it need not be read. @default no day */
  isEmpty?(wallet: StatementScope['wallet'], day: string): boolean;
  /** Returns `scope` if the organisation no longer exists. */
  findWallet(scope: ReconciledWallet): Promise<ReconciledWallet>;
  /** If absent, they are not compared with the rows. */
  readonly closedMonths?: ClosedMonthSource | undefined;
  /** If absent, the money rows are not checked. */
  readonly money?: MoneySource | undefined;
  /** If absent, it is not compared with the charges. */
  readonly usage?: UsageSource | undefined;
}

export interface WalletSettings {
  readonly logRetentionDays: number;
  /** All closed months are compared, and the scan has looked up VOID rows. */
  readonly isWhole?: boolean;
  /** The share of the sealed rows that this run reads again, 0 to 1. */
  readonly share: number;
  /** Epoch milliseconds. No further day is sealed or verified; open days are compared nevertheless. */
  readonly endsAtMs: number;
  /** Identifies the run. */
  readonly run: string;
  /** ISO time at which the run before began. @default there was none */
  readonly previousRun?: string | undefined;
}

/** An index shows rows with a delay, and a transfer between shards may take place between two reads. */
const SECOND_LOOK_MS = 10_000;

/**
 * The day before the organisation was created: the times of organisations and rows may come from different clocks.
 */
export function firstDayOf({ createdAt }: StatementScope): string {
  return dayOf(Date.parse(createdAt) - DAY_MS);
}

export class WalletCheck {
  scope: ReconciledWallet;
  head: SealHead;
  readonly source: WalletSource;
  readonly settings: WalletSettings;
  readonly clock: Clock;
  readonly found: Difference[] = [];
  /** Those of all days read, by reference. */
  readonly credits = new Map<string, CreditRow>();
  /** Number of rows read. */
  rows = 0;
  /** A late charge may fall into one of them. */
  closedMonths: readonly ClosedMonthFacts[] = [];

  constructor(
    scope: ReconciledWallet,
    head: SealHead,
    deps: { readonly source: WalletSource; readonly settings: WalletSettings; readonly clock: Clock },
  ) {
    this.scope = scope;
    this.head = head;
    this.source = deps.source;
    this.settings = deps.settings;
    this.clock = deps.clock;
  }

  get isOverTime(): boolean {
    return this.clock.nowMs() >= this.settings.endsAtMs;
  }

  /** `visit` is called with each charge and credit. */
  async checkDay(
    day: string,
    visit?: (row: ChargeRow | CreditRow) => void,
    looksUpVoid = !this.settings.isWhole,
  ): Promise<CheckedDay> {
    if (this.source.isEmpty?.(this.scope.wallet, day))
      return { day, sums: emptySums(), differences: [], rows: 0 };
    const { logRetentionDays } = this.settings;
    const settings = {
      nowMs: this.clock.nowMs(),
      logRetentionDays,
      looksUpVoid,
      closedMonths: this.closedMonths,
    };
    const checked = await checkDay(this.scope, day, this.source, settings, (row) => {
      if (row.sk === 'CREDIT') this.credits.set(row.reference, row);
      visit?.(row);
    });
    this.rows += checked.rows;
    return checked;
  }

  /** If `look` finds differences, waits 10 s and returns only the second result. */
  async lookTwice<T extends { readonly differences: readonly Difference[] }>(
    look: (isSecond: boolean) => Promise<T>,
  ): Promise<T> {
    const first = await look(false);
    if (first.differences.length === 0) return first;
    await this.clock.pause(SECOND_LOOK_MS);
    this.scope = await this.source.findWallet(this.scope);
    return look(true);
  }

  /** Returns false if another invocation has changed the head: the wallet is left to it. */
  async store(head: SealHead, seal?: Seal): Promise<boolean> {
    const { wallet } = this.scope;
    const next = { ...head, version: this.head.version + 1 };
    const { seals } = this.source;
    const isStored = seal ? await seals.putSeal(wallet, seal, next) : await seals.putHead(wallet, next);
    if (isStored) this.head = next;
    return isStored;
  }
}
