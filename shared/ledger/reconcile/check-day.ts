import type { Row } from '../../core/database.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { DayRows, type DaySettings, lineRange } from './day-rows.ts';
import { chargeFact, compareFacts, factText, logFact, type OperationFact } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { checkPointers } from './row-pointers.ts';
import {
  type ChargeRow,
  type CreditRow,
  type Difference,
  difference,
  readLogRow,
  readWalletsRow,
  walletsRowProblems,
} from './rows.ts';
import type { DaySums } from './seal.ts';

export type DaySource = Pick<
  ReconcileTable,
  'linePages' | 'logPagesOfDay' | 'logItems' | 'chargeItems' | 'creditItems' | 'segmentPages'
>;

export interface CheckedDay {
  readonly day: string;
  readonly sums: DaySums;
  readonly differences: readonly Difference[];
  /** Number of rows read. */
  readonly rows: number;
}

/** If a differing day has more rows than this, its requests are not named, because that would need too much memory. */
const MAX_NAMED_ROWS = 200_000;
/** The number of operations whose rows are looked up at the same time. */
const PARALLEL = 16;

/**
 * Reads the rows of one UTC day of a wallet through the indexes and compares charges with log rows. `visit` is called
 * with each charge and credit of the day.
 */
export async function checkDay(
  scope: StatementScope,
  day: string,
  source: DaySource,
  settings: DaySettings,
  visit?: (row: ChargeRow | CreditRow) => void,
): Promise<CheckedDay> {
  const rows = new DayRows(day, settings, visit);
  const pointed: Difference[] = [];
  await Promise.all([
    eachItem(source.linePages(scope.wallet, scope.shards, lineRange(day)), (item) => rows.addLine(item)),
    (async () => {
      for await (const page of source.logPagesOfDay(scope.wallet, day)) {
        const pointers = page.flatMap((item) => rows.addLog(item));
        pointed.push(...(await checkPointers(pointers, source)));
      }
    })(),
  ]);
  const named = rows.differs ? await nameOperations(scope, day, rows, source) : [];
  const distant = await confirmEach(rows.distant, (charge) => confirmCharge(charge, source));
  return {
    day,
    sums: rows.end(),
    differences: [...rows.found, ...pointed, ...named, ...distant],
    rows: rows.rows,
  };
}

async function eachItem(pages: AsyncIterable<readonly Row[]>, add: (item: Row) => void): Promise<void> {
  for await (const page of pages) for (const item of page) add(item);
}

/** Reads the rows of a differing day again, and names the operations that differ. */
async function nameOperations(
  { wallet, shards }: StatementScope,
  day: string,
  rows: DayRows,
  source: DaySource,
): Promise<Difference[]> {
  const whole = [difference('day-totals', wallet, { day }, 'equal rows', `${rows.rows} rows that differ`)];
  if (rows.rows > MAX_NAMED_ROWS) return whole;
  const charges = new Map<string, OperationFact>();
  const logs: OperationFact[] = [];
  await eachItem(source.linePages(wallet, shards, lineRange(day)), (item) => {
    const fact = rows.matchedCharge(item);
    if (fact) charges.set(fact.operationId, fact);
  });
  await eachItem(source.logPagesOfDay(wallet, day), (item) => {
    logs.push(...[rows.matchedLog(item)].filter((fact) => fact !== undefined));
  });
  const unmatched = new Map(charges);
  const wrong = logs.filter((log) => {
    const charge = charges.get(log.operationId);
    unmatched.delete(log.operationId);
    return !charge || factText(charge) !== factText(log);
  });
  const isNamed = wrong.length + unmatched.size > 0 || rows.found.length > 0;
  if (!isNamed) return whole;
  return [
    ...(await confirmEach(wrong, (log) => confirmLog(log, charges.get(log.operationId), source))),
    ...(await confirmEach([...unmatched.values()], (charge) => confirmCharge(charge, source))),
  ];
}

/** Calls `check` for each operation. An index may show a row late, on another day, or not at all. */
export async function confirmEach(
  facts: readonly OperationFact[],
  check: (fact: OperationFact) => Promise<Difference[]>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (let first = 0; first < facts.length; first += PARALLEL)
    found.push(...(await Promise.all(facts.slice(first, first + PARALLEL).map(check))).flat());
  return found;
}

/** Looks for the log row of a charge, whatever its tag and time. */
export async function confirmCharge(charge: OperationFact, source: DaySource): Promise<Difference[]> {
  const items = await source.logItems(charge.wallet, charge.requestId);
  const rows = items.flatMap((item) => readLogRow(item) ?? []);
  const log = rows.find(({ operationId }) => operationId === charge.operationId);
  return compareFacts(charge, log && logFact(log));
}

/**
 * Looks for the charge row of a log row by its key, unless the day contains it. Also reports wrong index keys, which
 * can hide the charge row from the statement.
 */
async function confirmLog(
  log: OperationFact,
  charge: OperationFact | undefined,
  source: DaySource,
): Promise<Difference[]> {
  if (charge) return compareFacts(charge, log);
  const [item] = await source.chargeItems(log.wallet, [log.operationId]);
  const row = item && readWalletsRow(item);
  if (row?.sk !== 'CHARGE') return compareFacts(undefined, log);
  return [...walletsRowProblems(row), ...compareFacts(chargeFact(row), log)];
}
