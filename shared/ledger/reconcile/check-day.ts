import type { Row } from '../../core/database.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { compareOperations } from './daily-totals.ts';
import { DayRows, type DaySettings, lineRange } from './day-rows.ts';
import type { DayTable } from './day-table.ts';
import { chargeFact, factText, logFact, type OperationFact } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { checkPointers } from './row-pointers.ts';
import {
  type ChargeRow,
  type CreditRow,
  type Difference,
  difference,
  operationSubject,
  readLogRow,
  readWalletsRow,
  walletsRowProblems,
} from './rows.ts';
import type { DaySums } from './seal.ts';

export type DaySource = DayTable & Pick<ReconcileTable, 'findCharges'>;

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
  const distant = await confirmAll(
    rows.distant.map((fact) => ({ charge: fact, log: undefined })),
    source,
  );
  const repeated = await confirmRepeated(rows.repeated, source);
  const differences = [...rows.found, ...pointed, ...named, ...distant, ...repeated];
  return { day, sums: rows.sums, differences, rows: rows.rows };
}

async function eachItem(pages: AsyncIterable<readonly Row[]>, add: (item: Row) => void): Promise<void> {
  for await (const page of pages) for (const item of page) add(item);
}

/** Reads the rows of a differing day again, and names the operations that differ. */
async function nameOperations(
  scope: StatementScope,
  day: string,
  rows: DayRows,
  source: DaySource,
): Promise<Difference[]> {
  const { wallet, shards } = scope;
  const whole = [difference('day-totals', wallet, { day }, 'equal rows', `${rows.rows} rows that differ`)];
  if (rows.rows > MAX_NAMED_ROWS) return whole;
  const [charges, logs]: [OperationFact[], OperationFact[]] = [[], []];
  await eachItem(source.linePages(wallet, shards, lineRange(day)), (item) => {
    charges.push(...[rows.matchedCharge(item)].filter((fact) => fact !== undefined));
  });
  await eachItem(source.logPagesOfDay(wallet, day), (item) => {
    logs.push(...[rows.matchedLog(item)].filter((fact) => fact !== undefined));
  });
  const [chargeOf, logsOf] = [byOperation(charges), byOperation(logs)];
  const pairs = compareOperations(charges, logs).map(({ operationId = '' }) => ({
    charge: chargeOf.get(operationId)?.[0],
    log: logsOf.get(operationId)?.[0],
  }));
  const several = [...logsOf.values()].flatMap(([, second]) => (second ? [second] : []));
  if (pairs.length + several.length === 0) return whole;
  return [...(await confirmAll(pairs, source)), ...(await confirmRepeated(several, source))];
}

function byOperation(facts: readonly OperationFact[]): Map<string, OperationFact[]> {
  return Map.groupBy(facts, ({ operationId }) => operationId);
}

/** The charge and the log row of an operation, as far as the indexes show them on the same day. */
interface Pair {
  readonly charge: OperationFact | undefined;
  readonly log: OperationFact | undefined;
}

/** Looks up the missing row of each pair, because an index may show a row late, on another day, or not at all. */
async function confirmAll(pairs: readonly Pair[], source: DaySource): Promise<Difference[]> {
  const found: Difference[] = [];
  for (let first = 0; first < pairs.length; first += PARALLEL) {
    const some = pairs.slice(first, first + PARALLEL);
    found.push(...(await Promise.all(some.map((pair) => confirm(pair, source)))).flat());
  }
  return found;
}

async function confirm({ charge, log }: Pair, source: DaySource): Promise<Difference[]> {
  if (charge && log) return [disagreement(charge, log)];
  if (charge) return confirmCharge(charge, source);
  return log ? confirmLog(log, source) : [];
}

/** Looks for the log row of a charge on any day. */
async function confirmCharge(charge: OperationFact, source: DaySource): Promise<Difference[]> {
  const [log] = await logsOf(charge, source);
  if (log) return factText(log) === factText(charge) ? [] : [disagreement(charge, log)];
  return [
    difference('charge-without-log', charge.wallet, operationSubject(charge), factText(charge), 'none'),
  ];
}

/**
 * Looks for the charge row of a log row by its key. Also reports wrong index keys, which can hide the charge row from
 * the statement.
 */
async function confirmLog(log: OperationFact, source: DaySource): Promise<Difference[]> {
  const [item] = await source.chargeItems(log.wallet, [log.operationId]);
  const row = item && readWalletsRow(item);
  if (row?.sk !== 'CHARGE')
    return [
      difference('log-without-charge', log.wallet, operationSubject(log), 'a charge row', factText(log)),
    ];
  const problems = walletsRowProblems(row);
  const charge = chargeFact(row, row.wallet);
  return factText(charge) === factText(log) ? problems : [...problems, disagreement(charge, log)];
}

async function confirmRepeated(facts: readonly OperationFact[], source: DaySource): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const [fact] of byOperation(facts).values()) {
    const count = fact ? (await logsOf(fact, source)).length : 0;
    if (fact && count > 1)
      found.push(difference('several-logs', fact.wallet, operationSubject(fact), 1, count));
  }
  return found;
}

/** Returns the log rows of an operation, whatever their tags and times. */
async function logsOf(
  { wallet, operationId, requestId }: OperationFact,
  source: DaySource,
): Promise<OperationFact[]> {
  const items = await source.logItems(wallet, requestId);
  const rows = items.flatMap((item) => readLogRow(item) ?? []);
  return rows.filter((row) => row.operationId === operationId).map(logFact);
}

function disagreement(charge: OperationFact, log: OperationFact): Difference {
  const subject = operationSubject(charge);
  return difference('log-disagrees', charge.wallet, subject, factText(charge), factText(log));
}
