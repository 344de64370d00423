import type { Clock } from '../core/clock.ts';
import { shardPk } from '../core/keys.ts';
import { timeBudget } from '../core/time-budget.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, retry } from './dependencies.ts';
import type { HeldOperation, Operation, OperationFacts } from './operation.ts';
import { type Charge, chargedRow, consumes, logEntryOf, voidRow } from './rows/charge.ts';
import { logDetails, type RequestCourse } from './rows/log-entry.ts';
import { logRequest } from './write-log.ts';

/**
 * The result of charging an operation.
 * - `charged`: the charge row and the log row are durable, so the record may be returned.
 * - `void`: nothing was charged and no record may be returned: time was up, or another process decided first.
 * - `unknown`: neither could be confirmed, so no record may be returned. The stored row decides.
 */
type Decision = 'charged' | 'void' | 'unknown';

const DECIDE_ATTEMPTS = 3;
/** CHARGED and log rows are sent once per attempt, so that each send follows a check of the time. */
const CHARGE_ATTEMPTS = 6;
const LOG_ATTEMPTS = 6;
const RELEASE_ATTEMPTS = 4;
const OUT_OF_TIME = { outcome: 'TIMEOUT', httpStatus: 504 } as const;

/**
 * Decides CHARGED, then logs (docs/design/ledger.md). The first row written for an operation is final, so lost responses, late
 * functions and the sweeper may all race here.
 */
export async function chargeOperation(
  held: HeldOperation,
  facts: OperationFacts,
  tables: LedgerTables,
  memory: InstanceMemory,
  clock: Clock,
): Promise<Decision> {
  const { operation, hold } = held;
  if (clock.nowMs() >= timeBudget(operation.requestedAtMs).chargeByMs) {
    // CHARGED was never sent, so the outcome is certain even if the tables do not respond now.
    const late = outOfTime(facts);
    await voidOperation(operation, late, held, tables, clock).catch(() => undefined);
    return 'void';
  }
  const row = chargedRow(operation, facts, hold, clock.nowMs());
  const stored = await firstRow(operation, facts, row, tables, clock);
  if (stored === undefined) return 'unknown';
  const course = courseOf(stored, facts);
  if (stored.state === 'VOID') {
    await logAndRelease(held, stored, course, tables, clock).catch(() => undefined);
    return 'void';
  }
  if (!(await logCharge(operation, stored, course, tables, clock))) return 'unknown';
  remember(held, memory);
  return 'charged';
}

/**
 * Decides VOID, then logs and releases the hold (docs/design/ledger.md): a function that continues late could still charge a
 * hold that was released before. Throws if a table does not respond; the sweeper then finishes the work.
 */
export async function voidOperation(
  operation: Operation,
  facts: OperationFacts,
  held: HeldOperation | undefined,
  tables: LedgerTables,
  clock: Clock,
): Promise<Charge> {
  const row = voidRow(operation, facts, clock.nowMs());
  const stored = await retry(DECIDE_ATTEMPTS, clock, () => tables.charges.decide(operation.wallet, row));
  if (held) await logAndRelease(held, stored, courseOf(stored, facts), tables, clock);
  return stored;
}

/**
 * Writes the replay's log row with 0 credits, and returns the replay to its key's allowance if the response contains no
 * record. Throws if the row was not written: no record may be returned.
 */
export async function finishReplay(
  operation: Operation,
  replayOf: Charge,
  keyHash: string,
  { course, ...facts }: OperationFacts,
  tables: LedgerTables,
  clock: Clock,
): Promise<void> {
  const { wallet, numberTag, id, requestId, service, keyLabel, requestedAtMs } = operation;
  if (facts.outcome !== 'FOUND')
    await tables.idempotency.returnReplay(wallet, keyHash, replayOf.operationId, id).catch(() => undefined);
  const entry = {
    wallet,
    numberTag,
    operationId: id,
    requestId,
    service,
    ...facts,
    creditsCharged: 0,
    keyLabel,
    requestedAt: new Date(requestedAtMs).toISOString(),
    replayOf: replayOf.operationId,
    replayedRequestId: replayOf.requestId,
    ...logDetails(operation),
    ...course,
  };
  await retry(LOG_ATTEMPTS, clock, () => logRequest(entry, tables, clock));
}

/** Without the code and the match, because the response contains different ones. */
const withoutResult = (course: RequestCourse | undefined): RequestCourse => ({
  ...course,
  code: undefined,
  matchOverall: undefined,
});

function outOfTime({ course, ...facts }: OperationFacts): OperationFacts {
  return { ...facts, ...OUT_OF_TIME, ...(course && { course: withoutResult(course) }) };
}

/** Without these if the stored row has a different outcome. */
function courseOf({ outcome }: Charge, facts: OperationFacts): RequestCourse {
  return outcome === facts.outcome ? { ...facts.course } : withoutResult(facts.course);
}

/** Logs before it releases, because the sweeper completes what is missing as long as the hold exists. */
async function logAndRelease(
  { operation, hold }: HeldOperation,
  stored: Charge,
  course: RequestCourse,
  tables: LedgerTables,
  clock: Clock,
): Promise<void> {
  const { wallet, numberTag, cost } = operation;
  const entry = logEntryOf(stored, wallet, numberTag, operation, course);
  await retry(LOG_ATTEMPTS, clock, () => logRequest(entry, tables, clock));
  if (consumes(stored, hold)) return;
  await retry(RELEASE_ATTEMPTS, clock, () => tables.wallets.releaseHold(wallet, hold, cost));
}

/**
 * Sends the CHARGED row until a response arrives. After the last attempt, reads the stored row, and writes VOID if it
 * finds none. Returns undefined if even VOID got no response.
 */
async function firstRow(
  operation: Operation,
  facts: OperationFacts,
  row: Charge,
  tables: LedgerTables,
  clock: Clock,
): Promise<Charge | undefined> {
  const { wallet, id } = operation;
  const { chargeByMs } = timeBudget(operation.requestedAtMs);
  for (let attempts = 0; attempts < CHARGE_ATTEMPTS && clock.nowMs() < chargeByMs; attempts += 1) {
    try {
      return await tables.charges.decide(wallet, row);
    } catch {
      await clock.pause(jitterMs(attempts, clock));
    }
  }
  const lastResorts = [
    () => tables.charges.getCharge(wallet, id),
    () => tables.charges.decide(wallet, voidRow(operation, outOfTime(facts), clock.nowMs())),
  ];
  for (const attempt of lastResorts) {
    const stored = await attempt().catch(() => undefined);
    if (stored) return stored;
  }
  return undefined;
}

/** Returns false if the row may not be durable. */
async function logCharge(
  operation: Operation,
  stored: Charge,
  course: RequestCourse,
  tables: LedgerTables,
  clock: Clock,
): Promise<boolean> {
  const entry = logEntryOf(stored, operation.wallet, operation.numberTag, operation, course);
  const writing = retry(LOG_ATTEMPTS, clock, () => logRequest(entry, tables, clock));
  return writing.then(
    () => true,
    () => false,
  );
}

/** The next reserve of this instance on the same shard clears it at no extra cost. */
function remember({ operation, hold }: HeldOperation, memory: InstanceMemory): void {
  const key = shardPk(operation.wallet, hold.shard);
  const spent = memory.spent.get(key) ?? new Set();
  memory.spent.set(key, spent.add(hold.holdId));
}
