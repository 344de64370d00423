import { dayPlus } from '../../core/accounting-month.ts';
import type { Row } from '../../core/database.ts';
import { creditPk, type WalletId, walletName } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { confirmCharge, confirmEach, type DaySource } from './check-day.ts';
import { type Stray, strayShard } from './check-shards.ts';
import { chargeFact, isComparable, logFact, mustBeLogged, type OperationFact } from './operation-facts.ts';
import type { ScannedTable } from './reconcile-table.ts';
import { checkPointers, idempotencyPointer, logPointer, type RowPointer } from './row-pointers.ts';
import {
  type Difference,
  type DifferenceSubject,
  dayOf,
  difference,
  isErasureMarker,
  isReferenceRow,
  logRowProblems,
  operationSubject,
  readLogRow,
  readWalletsRow,
  unreadable,
  type WalletsRow,
  walletOf,
  walletsRowProblems,
} from './rows.ts';
import { isSealRow, type ScanPosition } from './seal.ts';
import { firstDayOf } from './wallet-check.ts';

/**
 * Reads a part of a table in each run, because no index shows VOID rows, idempotency rows or rows with wrong keys. The
 * keys of the table are divided into equal segments, and the number of the next segment is stored. Every row of the
 * statement and of the log either has a difference here, or is read with the rows of its day.
 */

interface ScanSettings {
  readonly nowMs: number;
  readonly logRetentionDays: number;
  /** The wallets of all organisations. */
  readonly wallets: readonly StatementScope[];
  readonly isOverTime: () => boolean;
  /** A run reads segments until it has read this many rows or reaches the end of the table. */
  readonly rowsPerRun: number;
  /** The approximate number of rows in each table. */
  readonly expectedRows: Readonly<Record<ScannedTable, number>>;
}

interface ScanResult {
  readonly position: ScanPosition;
  /** False if time was up. */
  readonly isComplete: boolean;
  readonly differences: readonly Difference[];
  readonly strays: readonly Stray[];
}

const ROWS_OF_SEGMENT = 2_000;
/** DynamoDB's maximum number of segments in a scan. */
const MOST_SEGMENTS = 1_000_000;

/** Reads segments of a table until the rows of a run have been read, the table ends, or time is up. */
export async function scanPart(
  table: ScannedTable,
  start: ScanPosition,
  source: DaySource,
  settings: ScanSettings,
): Promise<ScanResult> {
  const scan = new PartScan(source, settings);
  let position = start;
  if (position.next === 0) position = { ...position, segments: segmentsFor(settings.expectedRows[table]) };
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
  readonly #scopes: ReadonlyMap<string, StatementScope>;
  readonly #found: Difference[] = [];
  readonly #strays = new Map<string, Stray>();

  constructor(source: DaySource, settings: ScanSettings) {
    this.#source = source;
    this.#settings = settings;
    this.#scopes = new Map(settings.wallets.map((scope) => [walletName(scope.wallet), scope]));
  }

  result(position: ScanPosition, isComplete: boolean): ScanResult {
    return { position, isComplete, differences: this.#found, strays: [...this.#strays.values()] };
  }

  async add(table: ScannedTable, page: readonly Row[]): Promise<void> {
    const unlogged: OperationFact[] = [];
    const pointers = page.flatMap((item) =>
      table === 'wallets' ? this.#walletsRow(item, unlogged) : this.#logRow(item),
    );
    this.#found.push(...(await checkPointers(pointers, this.#source)));
    if (table === 'wallets') await this.#checkReferences(page.filter((item) => isReferenceRow(item)));
    this.#found.push(...(await confirmEach(unlogged, (charge) => confirmCharge(charge, this.#source))));
  }

  /**
   * Returns the charge rows that a row of Wallets names. Adds the row to `unlogged` if it is a VOID row whose log row
   * must be looked up.
   */
  #walletsRow(item: Row, unlogged: OperationFact[]): RowPointer[] {
    if (isReferenceRow(item) || isSealRow(item)) return [];
    const row = readWalletsRow(item);
    if (!row) return this.#unreadable(item);
    const scope = this.#scopeOf(row.wallet);
    if (!scope) return [];
    this.#found.push(...walletsRowProblems(row), ...this.#lineProblems(row, scope));
    if (row.sk === 'CHARGE') {
      const fact = chargeFact(row);
      if (fact.credits === 0 && mustBeLogged(fact) && this.#isComparable(fact)) unlogged.push(fact);
    }
    return idempotencyPointer(row);
  }

  /** The transaction of a top-up writes its credit and its reference. */
  async #checkReferences(items: readonly Row[]): Promise<void> {
    const names = items.map((item) => {
      const env = walletOf(item)?.env ?? 'live';
      const wallet = { env, organisationId: String(item['organisationId']) };
      return { wallet, reference: String(item['reference']) };
    });
    const own = names.filter(({ wallet }) => this.#scopeOf(wallet));
    const known = new Set((await this.#source.creditItems(own)).map(({ pk }) => pk));
    const day = dayOf(this.#settings.nowMs);
    for (const { wallet, reference } of own)
      if (!known.has(creditPk(wallet, reference)))
        this.#found.push(difference('credits', wallet, { day, reference }, 'a credit', 'none'));
  }

  #logRow(item: Row): RowPointer[] {
    if (isErasureMarker(item)) return [];
    const row = readLogRow(item);
    if (!row) return this.#unreadable(item);
    const scope = this.#scopeOf(row.wallet);
    if (!scope) return [];
    this.#found.push(
      ...logRowProblems(row),
      ...this.#timeProblems(scope, operationSubject(row), row.requestedAt),
    );
    return this.#isComparable(logFact(row)) ? logPointer(row) : [];
  }

  /** Compares a shard, charge or credit with the days and shards of its wallet. */
  #lineProblems(row: WalletsRow, scope: StatementScope): Difference[] {
    const { sk, wallet } = row;
    if (sk === 'WALLET') this.#addStrays(scope, strayShard(wallet, row, dayOf(this.#settings.nowMs)));
    if (sk === 'WALLET' || sk === 'IDEMPOTENCY' || (sk === 'CHARGE' && row.state === 'VOID')) return [];
    const [subject, time] =
      sk === 'CHARGE'
        ? [operationSubject(row), row.decidedAt]
        : [{ day: row.createdAt.slice(0, 10), reference: row.reference }, row.createdAt];
    const { shard = 0 } = row;
    const [expected, found] = [`one of ${scope.shards} shards`, `shard ${shard}`];
    this.#addStrays(scope, [
      { wallet, shard, difference: difference('row-keys', wallet, subject, expected, found) },
    ]);
    return this.#timeProblems(scope, subject, time);
  }

  #addStrays({ shards }: StatementScope, strays: readonly Stray[]): void {
    for (const stray of strays)
      if (!(stray.shard >= 0 && stray.shard < shards)) this.#strays.set(JSON.stringify(stray), stray);
  }

  /** Returns a difference if the day of a row is not read. */
  #timeProblems(scope: StatementScope, subject: DifferenceSubject, time: string): Difference[] {
    const [first, last] = [firstDayOf(scope), dayPlus(dayOf(this.#settings.nowMs), 1)];
    const day = time.slice(0, 10);
    if (day >= first && day <= last) return [];
    return [difference('row-keys', scope.wallet, subject, `a time from ${first} to ${last}`, time)];
  }

  #unreadable(item: Row): [] {
    this.#found.push(unreadable(item, dayOf(this.#settings.nowMs)));
    return [];
  }

  #scopeOf(wallet: WalletId): StatementScope | undefined {
    const scope = this.#scopes.get(walletName(wallet));
    if (!scope) this.#strays.set(walletName(wallet), { wallet, shard: 0 });
    return scope;
  }

  #isComparable(fact: OperationFact): boolean {
    const { nowMs, logRetentionDays } = this.#settings;
    return isComparable(fact, nowMs, logRetentionDays);
  }
}
