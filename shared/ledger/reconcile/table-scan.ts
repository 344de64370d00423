import type { Row } from '../../core/database.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import type { DaySource } from './check-day.ts';
import type { ScannedTable } from './day-table.ts';
import {
  chargeFact,
  factText,
  isComparable,
  logFact,
  mustBeLogged,
  type OperationFact,
} from './operation-facts.ts';
import { checkPointers, idempotencyPointer, logPointer, type RowPointer } from './row-pointers.ts';
import {
  type Difference,
  dayOf,
  difference,
  isErasureMarker,
  isReferenceRow,
  logRowProblems,
  operationSubject,
  readLogRow,
  readWalletsRow,
  unreadable,
  walletsRowProblems,
} from './rows.ts';
import { isSealRow, type ScanPosition } from './seal.ts';

/**
 * Reads a part of a table in each run, because no index shows VOID rows, idempotency rows or rows with wrong keys. The
 * keys of the table are divided into equal segments, and the number of the next segment is stored.
 */

interface ScanSettings {
  readonly nowMs: number;
  readonly logRetentionDays: number;
  /** Names of the wallets of all organisations. */
  readonly known: ReadonlySet<string>;
  readonly isOverTime: () => boolean;
  /** A run reads segments until it has read this many rows or reaches the end of the table. */
  readonly rowsPerRun: number;
  /** The approximate number of rows in the table. */
  readonly expectedRows: number;
}

interface ScanResult {
  readonly position: ScanPosition;
  /** False if time was up. */
  readonly isComplete: boolean;
  readonly differences: readonly Difference[];
  /** Wallets that have rows, but belong to no organisation. */
  readonly unknown: ReadonlyMap<string, WalletId>;
}

const ROWS_OF_SEGMENT = 2_000;
/** DynamoDB's maximum number of segments in a scan. */
const MOST_SEGMENTS = 1_000_000;
/** The number of log rows that are looked up at the same time. */
const PARALLEL = 16;

/** Reads segments of a table until the rows of a run have been read, the table ends, or time is up. */
export async function scanPart(
  table: ScannedTable,
  start: ScanPosition,
  source: DaySource,
  settings: ScanSettings,
): Promise<ScanResult> {
  const scan = new PartScan(source, settings);
  let position = start;
  if (position.next === 0) position = { ...position, segments: segmentsFor(settings.expectedRows) };
  for (;;) {
    if (position.rows >= settings.rowsPerRun) return scan.result(position, true);
    if (settings.isOverTime()) return scan.result(position, false);
    let rows = 0;
    for await (const page of source.segmentPages(table, position.next, position.segments)) {
      rows += page.length;
      await scan.add(table, page);
    }
    const next = (position.next + 1) % position.segments;
    position = { ...position, next, rows: position.rows + rows };
    // A run ends at the end of the table, so that it reads no row twice.
    if (next === 0) return scan.result({ ...position, rows: settings.rowsPerRun }, true);
  }
}

function segmentsFor(rows: number): number {
  return Math.min(MOST_SEGMENTS, Math.max(1, Math.ceil(rows / ROWS_OF_SEGMENT)));
}

/** Checks each row of a part of a table by itself, and against the rows that it names. */
class PartScan {
  readonly #source: DaySource;
  readonly #settings: ScanSettings;
  readonly #found: Difference[] = [];
  readonly #unknown = new Map<string, WalletId>();

  constructor(source: DaySource, settings: ScanSettings) {
    this.#source = source;
    this.#settings = settings;
  }

  result(position: ScanPosition, isComplete: boolean): ScanResult {
    return { position, isComplete, differences: this.#found, unknown: this.#unknown };
  }

  async add(table: ScannedTable, page: readonly Row[]): Promise<void> {
    const unlogged: OperationFact[] = [];
    const pointers = page.flatMap((item) =>
      table === 'wallets' ? this.#walletsRow(item, unlogged) : this.#logRow(item),
    );
    this.#found.push(...(await checkPointers(pointers, this.#source)));
    for (let first = 0; first < unlogged.length; first += PARALLEL) {
      const some = unlogged.slice(first, first + PARALLEL);
      this.#found.push(...(await Promise.all(some.map((fact) => this.#checkLog(fact)))).flat());
    }
  }

  /**
   * Returns the charge rows that a row of Wallets names. Adds the row to `unlogged` if it is a VOID row whose log row
   * must be looked up.
   */
  #walletsRow(item: Row, unlogged: OperationFact[]): RowPointer[] {
    if (isReferenceRow(item) || isSealRow(item)) return [];
    const row = readWalletsRow(item);
    if (!row) return this.#unreadable(item);
    if (!this.#isKnown(row.wallet)) return [];
    this.#found.push(...walletsRowProblems(row));
    if (row.sk === 'CHARGE') {
      const fact = chargeFact(row, row.wallet);
      if (fact.credits === 0 && mustBeLogged(fact) && this.#isComparable(fact)) unlogged.push(fact);
    }
    return idempotencyPointer(row);
  }

  #logRow(item: Row): RowPointer[] {
    if (isErasureMarker(item)) return [];
    const row = readLogRow(item);
    if (!row) return this.#unreadable(item);
    if (!this.#isKnown(row.wallet)) return [];
    this.#found.push(...logRowProblems(row));
    return this.#isComparable(logFact(row)) ? logPointer(row, true) : [];
  }

  async #checkLog(charge: OperationFact): Promise<Difference[]> {
    const { wallet, operationId, requestId } = charge;
    const items = await this.#source.logItems(wallet, requestId);
    const rows = items.flatMap((item) => readLogRow(item) ?? []);
    const logs = rows.filter((row) => row.operationId === operationId).map(logFact);
    const [log] = logs;
    if (log && factText(log) === factText(charge)) return [];
    const kind = log ? 'log-disagrees' : 'charge-without-log';
    const found = log ? factText(log) : 'none';
    return [difference(kind, wallet, operationSubject(charge), factText(charge), found)];
  }

  #unreadable(item: Row): [] {
    this.#found.push(unreadable(item, dayOf(this.#settings.nowMs)));
    return [];
  }

  #isKnown(wallet: WalletId): boolean {
    const name = walletName(wallet);
    const isKnown = this.#settings.known.has(name);
    if (!isKnown) this.#unknown.set(name, wallet);
    return isKnown;
  }

  #isComparable(fact: OperationFact): boolean {
    const { nowMs, logRetentionDays } = this.#settings;
    return isComparable(fact, nowMs, logRetentionDays);
  }
}
