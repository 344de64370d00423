import { accountingMonthOf, dayPlus, lagosDay } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import type { StatementRange } from '../statement/read-statement.ts';
import { lineHash, statementEntry } from '../statement/statement.ts';
import { type ClosedMonthFacts, lateCharge } from './closed-months.ts';
import { DaySpans } from './day-spans.ts';
import { chargeFact, factText, isComparable, logFact, type OperationFact } from './operation-facts.ts';
import { logPointer, type RowPointer } from './row-pointers.ts';
import {
  type ChargeRow,
  type CreditRow,
  type Difference,
  difference,
  logRowProblems,
  MARGIN_MS,
  operationSubject,
  readListedLog,
  readWalletsRow,
  unreadable,
  type WalletsRow,
  walletsRowProblems,
} from './rows.ts';
import { addMonth, type DaySums, emptySums } from './seal.ts';
import { addToTally, emptyTally, itemText, tallyText } from './tally.ts';
import { usageSum } from './usage-months.ts';

export interface DaySettings {
  /** Operations of the preceding 10 minutes may still change and are not compared. */
  readonly nowMs: number;
  /** Charges of older requests have no log row. */
  readonly logRetentionDays: number;
  /** Unnecessary for a sealed day whose log rows have not changed. */
  readonly looksUpVoid: boolean;
  /** A late charge may fall into one of them. */
  readonly closedMonths: readonly ClosedMonthFacts[];
}

/** These stay the same when an erasure moves the row. */
export const LOG_ATTRIBUTES: readonly string[] = [
  'sk',
  'requestId',
  'service',
  'outcome',
  'httpStatus',
  'creditsCharged',
  'provider',
  'keyLabel',
  'latencyMs',
  'requestedAt',
  'replayOf',
  'expiresAt',
];

/** Also the time in which lines of the day's requests may lie. */
export function lineRange(day: string): StatementRange {
  const isoOf = (ms: number) => new Date(ms).toISOString();
  const startMs = Date.parse(`${day}T00:00:00.000Z`);
  return { from: isoOf(startMs - MARGIN_MS), to: isoOf(startMs + DAY_MS + MARGIN_MS) };
}

/**
 * The rows of one UTC day: their sums, and what is wrong with them. Charges count on the day of their decision, log
 * rows on that of their request. Both are compared by the day of the request, so lines shortly before and after are
 * added too.
 */
export class DayRows {
  readonly sums: DaySums = emptySums();
  readonly found: Difference[] = [];
  /** Their request was too long before or after the decision, so their log row is looked up. */
  readonly distant: OperationFact[] = [];
  rows = 0;
  readonly #day: string;
  readonly #nextDay: string;
  readonly #settings: DaySettings;
  readonly #spans = new DaySpans();
  readonly #usageSums: Record<string, string> = {};
  readonly #visit: (row: ChargeRow | CreditRow) => void;
  readonly #charged = emptyTally();
  readonly #logged = emptyTally();
  #previous = '';
  /** The operations of free replays. */
  readonly #replays = new Set<string>();

  constructor(
    day: string,
    settings: DaySettings,
    visit: (row: ChargeRow | CreditRow) => void = () => undefined,
  ) {
    this.#day = day;
    this.#nextDay = dayPlus(day, 1);
    this.#settings = settings;
    this.#visit = visit;
  }

  end(): DaySums {
    return { ...this.sums, usageSums: this.#usageSums, spans: this.#spans.end() };
  }

  get differs(): boolean {
    return tallyText(this.#charged) !== tallyText(this.#logged);
  }

  /** Adds an item of the index `statement`. */
  addLine(item: Row): void {
    this.rows += 1;
    const sort = String(item['statementSort']);
    const isOfDay = sort >= this.#day && sort < this.#nextDay;
    const row = readWalletsRow(item);
    const fact = row && this.#matched(row);
    if (fact) addToTally(this.#charged, fact.credits, textOf(fact));
    if (!isOfDay) return;
    if (row?.sk === 'CHARGE') this.#addCharge(row, item);
    else if (row?.sk === 'CREDIT') this.#addCredit(row, item);
    else {
      this.found.push(unreadable(item, this.#day));
      addToTally(this.sums.charges, 0, itemText(item));
    }
    if (row) this.found.push(...walletsRowProblems(row));
  }

  #addCharge(row: ChargeRow, item: Row): void {
    this.#spans.add(row);
    const { cost, decidedAt, requestedAt } = row;
    addToTally(this.sums.charges, cost, itemText(item));
    const linesXor = lineHash(statementEntry(item));
    addMonth(this.sums.months, accountingMonthOf(Date.parse(decidedAt)), { charged: cost, linesXor });
    const requested = lagosDay(Date.parse(requestedAt));
    this.sums.requested[requested] = (this.sums.requested[requested] ?? 0) + cost;
    const used = { day: requested, service: row.service, keyLabel: row.keyLabel, credits: cost };
    this.#usageSums[requested] = usageSum(this.#usageSums[requested] ?? '0', used);
    this.found.push(...lateCharge(row, this.#settings.closedMonths));
    const fact = chargeFact(row);
    const distanceMs = Math.abs(Date.parse(decidedAt) - Date.parse(requestedAt));
    if (distanceMs >= MARGIN_MS && this.#isComparable(fact)) this.distant.push(fact);
    this.#visit(row);
  }

  #addCredit(row: CreditRow, item: Row): void {
    this.#spans.add(row);
    addToTally(this.sums.credits, row.amount, itemText(item));
    const name = row.kind === 'TOP_UP' ? 'toppedUp' : 'corrected';
    const linesXor = lineHash(statementEntry(item));
    const month = accountingMonthOf(Date.parse(row.createdAt));
    addMonth(this.sums.months, month, { [name]: row.amount, linesXor });
    this.#visit(row);
  }

  /** Returns the charge rows that it names, to be looked up. */
  addLog(item: Row): RowPointer[] {
    this.rows += 1;
    const row = readListedLog(item);
    addToTally(this.sums.logs, row?.creditsCharged ?? 0, itemText(item, LOG_ATTRIBUTES));
    if (!row) {
      this.found.push(unreadable(item, this.#day));
      return [];
    }
    this.found.push(...logRowProblems(row));
    this.sums.logsExpireAt = Math.min(this.sums.logsExpireAt ?? row.expiresAt, row.expiresAt);
    const fact = logFact(row);
    this.#findRepeated(fact, row.replayOf !== undefined);
    if (!this.#isComparable(fact)) return [];
    if (row.replayOf === undefined && fact.credits > 0) {
      addToTally(this.#logged, fact.credits, textOf(fact));
      return [];
    }
    return row.replayOf !== undefined || this.#settings.looksUpVoid ? logPointer(row) : [];
  }

  /**
   * Rows with the same time are adjacent. Of rows with different times, one disagrees with the charge row, which a
   * replay does not have.
   */
  #findRepeated(fact: OperationFact, isReplay: boolean): void {
    const { wallet, operationId } = fact;
    if (this.#previous === operationId || this.#replays.has(operationId))
      this.found.push(difference('several-logs', wallet, operationSubject(fact), 1, 'several'));
    this.#previous = operationId;
    if (isReplay) this.#replays.add(operationId);
  }

  /** Undefined if no log row of the day must match. */
  matchedCharge(item: Row): OperationFact | undefined {
    const row = readWalletsRow(item);
    return row && this.#matched(row);
  }

  #matched(row: WalletsRow): OperationFact | undefined {
    if (row.sk !== 'CHARGE' || row.requestedAt.slice(0, 10) !== this.#day) return undefined;
    if (Math.abs(Date.parse(row.decidedAt) - Date.parse(row.requestedAt)) >= MARGIN_MS) return undefined;
    const fact = chargeFact(row);
    return fact.credits > 0 && this.#isComparable(fact) ? fact : undefined;
  }

  /** Undefined if no charge of the day must match. */
  matchedLog(item: Row): OperationFact | undefined {
    const row = readListedLog(item);
    if (!row || row.replayOf !== undefined || row.creditsCharged === 0) return undefined;
    const fact = logFact(row);
    return this.#isComparable(fact) ? fact : undefined;
  }

  #isComparable(fact: OperationFact): boolean {
    const { nowMs, logRetentionDays } = this.#settings;
    return isComparable(fact, nowMs, logRetentionDays);
  }
}

function textOf(fact: OperationFact): string {
  return `${fact.operationId} ${factText(fact)}`;
}
