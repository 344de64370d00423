import { type Charge, chargedRow, consumes, logEntryOf, voidRow } from './charge.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type LedgerTools } from './ledger.ts';
import { type HeldOperation, type Operation, type OperationFacts, timeBudget } from './operation.ts';
import { walletPk } from './wallet-table.ts';

/**
 * - `charged`: charge row and log row are durable; the data may leave.
 * - `void`: nothing was charged and no data may leave: the time was up, or somebody else decided first.
 * - `unknown`: neither could be confirmed; no data may leave, and the row that stands tells the truth later.
 */
export type Decision = 'charged' | 'void' | 'unknown';

const DECIDE_TRIES = 3;
const LOG_TRIES = 4;

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
    await voidOperation(operation, { ...facts, outcome: 'TIMEOUT', httpStatus: 504 }, held, tables, tools);
    return 'void';
  }
  const row = chargedRow(operation, facts, placed, tools.nowMs());
  const standing = await firstRow(operation, row, tables, tools);
  if (standing === undefined) return 'unknown';
  if (standing.state === 'VOID') {
    await logAndReturn(held, standing, tables).catch(() => undefined);
    return 'void';
  }
  if (!(await logCharge(operation, standing, tables, tools))) return 'unknown';
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
  const standing = await tables.charges.decide(operation.wallet, voidRow(operation, facts, tools.nowMs()));
  if (held) await logAndReturn(held, standing, tables);
  return standing;
}

/** The log row comes before the return: while the hold is there, the sweeper still finds what is missing. */
async function logAndReturn(held: HeldOperation, standing: Charge, tables: LedgerTables): Promise<void> {
  const { operation, placed } = held;
  const entry = logEntryOf(standing, operation.wallet, operation.numberTag, referencesOf(operation));
  await tables.log.writeOnce(entry);
  if (!consumes(standing, placed)) await tables.wallets.returnHold(operation.wallet, placed, operation.cost);
}

/**
 * Puts the row until an answer comes. Giving up, it puts VOID: if that stands nothing is charged, and if CHARGED
 * stands it is ours. Undefined where not even that was answered.
 */
async function firstRow(
  operation: Operation,
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
    () =>
      tables.charges.decide(wallet, {
        ...voidRow(operation, row, tools.nowMs()),
        outcome: 'TIMEOUT',
        httpStatus: 503,
      }),
  ];
  for (const ask of last) {
    const standing = await ask().catch(() => undefined);
    if (standing) return standing;
  }
  return undefined;
}

/** No identity data leaves before the log row is durable. False where it could not be confirmed. */
async function logCharge(
  operation: Operation,
  standing: Charge,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<boolean> {
  const entry = logEntryOf(standing, operation.wallet, operation.numberTag, referencesOf(operation));
  for (let tries = 0; tries < LOG_TRIES; tries += 1) {
    try {
      await tables.log.writeOnce(entry);
      return true;
    } catch {
      await tools.pause(jitterMs(tries, tools));
    }
  }
  return false;
}

/** The next reserve of this instance on this shard clears the spent hold for free. */
function remember({ operation, placed }: HeldOperation, memory: InstanceMemory): void {
  const key = walletPk(operation.wallet, placed.shard);
  const spent = memory.spent.get(key) ?? new Set();
  memory.spent.set(key, spent.add(placed.holdId));
}

function referencesOf({ consent, reason }: Operation) {
  return { ...(consent !== undefined && { consent }), ...(reason !== undefined && { reason }) };
}
