import { shardPk } from '../core/keys.ts';
import {
  type InstanceMemory,
  jitterMs,
  type LedgerTables,
  type LedgerTools,
  persist,
} from './dependencies.ts';
import { type HeldOperation, type Operation, type OperationFacts, timeBudget } from './operation.ts';
import { type Charge, chargedRow, consumes, logEntryOf, voidRow } from './rows/charge.ts';

/**
 * - `charged`: charge row and log row are durable; the data may leave.
 * - `void`: nothing was charged and no data may leave: the time was up, or somebody else decided first.
 * - `unknown`: neither could be confirmed; no data may leave, and the row that stands tells the truth later.
 */
export type Decision = 'charged' | 'void' | 'unknown';

const DECIDE_TRIES = 3;
const LOG_TRIES = 4;
const RETURN_TRIES = 4;
const OUT_OF_TIME = { outcome: 'TIMEOUT', httpStatus: 504 } as const;

/**
 * The registry found the record: decides CHARGED, then logs (ledger design, step 3). The first row written for an
 * operation decides for ever, so a lost answer, a zombie and the sweeper can all race here.
 */
export async function chargeOperation(
  held: HeldOperation,
  facts: OperationFacts,
  tables: LedgerTables,
  memory: InstanceMemory,
  tools: LedgerTools,
): Promise<Decision> {
  const { operation, placed } = held;
  if (tools.nowMs() >= timeBudget(operation.requestedAtMs).chargeByMs) {
    // No CHARGED was ever sent, so nothing is unknown, even if the tables do not answer now.
    const late = { ...facts, ...OUT_OF_TIME };
    await voidOperation(operation, late, held, tables, tools).catch(() => undefined);
    return 'void';
  }
  const row = chargedRow(operation, facts, placed, tools.nowMs());
  const stored = await firstRow(operation, facts, row, tables, tools);
  if (stored === undefined) return 'unknown';
  if (stored.state === 'VOID') {
    await logAndReturn(held, stored, tables, tools).catch(() => undefined);
    return 'void';
  }
  if (!(await logCharge(operation, stored, tables, tools))) return 'unknown';
  remember(held, memory);
  return 'charged';
}

/**
 * Nothing to charge: decides VOID, logs, returns the hold (ledger design, step 4). VOID comes first, always: a hold
 * returned before it could be charged by a zombie. Throws where a table does not answer; the sweeper finishes it.
 */
export async function voidOperation(
  operation: Operation,
  facts: OperationFacts,
  held: HeldOperation | undefined,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<Charge> {
  const row = voidRow(operation, facts, tools.nowMs());
  const stored = await persist(DECIDE_TRIES, tools, () => tables.charges.decide(operation.wallet, row));
  if (held) await logAndReturn(held, stored, tables, tools);
  return stored;
}

/** The log row comes before the return: while the hold is there, the sweeper still finds what is missing. */
async function logAndReturn(
  { operation, placed }: HeldOperation,
  stored: Charge,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<void> {
  const { wallet, numberTag, cost } = operation;
  const entry = logEntryOf(stored, wallet, numberTag, referencesOf(operation));
  await persist(LOG_TRIES, tools, () => tables.log.writeOnce(entry));
  if (consumes(stored, placed)) return;
  await persist(RETURN_TRIES, tools, () => tables.wallets.releaseHold(wallet, placed, cost));
}

/**
 * Puts the row until an answer comes. Giving up, it puts VOID: if that stands nothing is charged, and if CHARGED
 * stands it is ours. Undefined where not even that was answered.
 */
async function firstRow(
  operation: Operation,
  facts: OperationFacts,
  row: Charge,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<Charge | undefined> {
  const { wallet, id } = operation;
  const { chargeByMs } = timeBudget(operation.requestedAtMs);
  for (let tries = 0; tries < DECIDE_TRIES && tools.nowMs() < chargeByMs; tries += 1) {
    try {
      return await tables.charges.decide(wallet, row);
    } catch {
      await tools.pause(jitterMs(tries, tools));
    }
  }
  const last = [
    () => tables.charges.getCharge(wallet, id),
    () => tables.charges.decide(wallet, voidRow(operation, { ...facts, ...OUT_OF_TIME }, tools.nowMs())),
  ];
  for (const ask of last) {
    const stored = await ask().catch(() => undefined);
    if (stored) return stored;
  }
  return undefined;
}

/** No identity data leaves before the log row is durable. False where it could not be confirmed. */
async function logCharge(
  operation: Operation,
  stored: Charge,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<boolean> {
  const entry = logEntryOf(stored, operation.wallet, operation.numberTag, referencesOf(operation));
  const writing = persist(LOG_TRIES, tools, () => tables.log.writeOnce(entry));
  return writing.then(
    () => true,
    () => false,
  );
}

/** The next reserve of this instance on this shard clears the spent hold for free. */
function remember({ operation, placed }: HeldOperation, memory: InstanceMemory): void {
  const key = shardPk(operation.wallet, placed.shard);
  const spent = memory.spent.get(key) ?? new Set();
  memory.spent.set(key, spent.add(placed.holdId));
}

function referencesOf({ consent, reason }: Operation) {
  return { ...(consent !== undefined && { consent }), ...(reason !== undefined && { reason }) };
}
