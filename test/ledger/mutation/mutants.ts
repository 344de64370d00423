import { ERASURE } from './erasure-mutants.ts';
import { GIVE_UP_MUTANTS } from './give-up-mutants.ts';
import { LEDGER, type Mutant, mutant, type Patch } from './mutant.ts';

const PUT_IF_ABSENT = "ConditionExpression: 'attribute_not_exists(pk)'";
const PUT_ALWAYS = "ConditionExpression: 'attribute_not_exists(nothing)'";

const RESERVE: readonly Mutant[] = [
  mutant(
    'the balance is not checked',
    'tables/wallet-table.ts',
    "'available >= :cost AND size(holds) < :max'",
    "':cost = :cost AND size(holds) < :max'",
    'scarce',
  ),
  {
    ...mutant(
      'the number of holds is not limited',
      'tables/wallet-table.ts',
      'AND size(holds) < :max',
      'AND :max = :max',
    ),
    needsSmallLimit: true,
  },
  mutant(
    'a retried reserve reuses the hold id',
    'reserve.ts',
    'holdIdOf(this.#operation.id, this.#sends)',
    'holdIdOf(this.#operation.id, 0)',
    'late',
  ),
  mutant(
    'a reserve clears a charged hold before its log row is written',
    'end-operation.ts',
    'if (!(await logCharge(operation, stored, course, tables, clock))) return',
    'remember(held, memory);\n  if (!(await logCharge(operation, stored, course, tables, clock))) return',
    'zombies',
  ),
  mutant(
    '402 is returned without reading all shards',
    'reserve.ts',
    'if (shards > 1) return gather',
    'if (shards > 100) return gather',
    'scarce',
  ),
];

const DECIDE: readonly Mutant[] = [
  mutant('a decision overwrites the charge row', 'tables/charge-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  mutant(
    'the log row is written before the decision',
    'end-operation.ts',
    'const stored = await firstRow(',
    'await logCharge(operation, row, { ...facts.course }, tables, clock);\n  const stored = await firstRow(',
  ),
  mutant(
    'the response is sent before the decision',
    'shared/verifications/middleware/settle.ts',
    "const decision = await withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'unknown' as const);",
    "void charging.catch(() => 0); void withDeadline; void respondByMs;\n  const decision = 'charged' as 'charged' | 'unknown' | 'void';",
  ),
  mutant(
    'the response is sent before the log row is written',
    'end-operation.ts',
    'if (!(await logCharge(operation, stored, course, tables, clock)))',
    'if ((void logCharge(operation, stored, course, tables, clock), false))',
  ),
  mutant(
    'a fenced request returns a record',
    'end-operation.ts',
    "if (stored.state === 'VOID') {",
    "if (stored.state === 'VOID' && clock.nowMs() < 0) {",
    'blackouts',
  ),
  mutant(
    'charge rows expire',
    'tables/charge-table.ts',
    "if (row.state === 'CHARGED')",
    "if (row.state === 'CHARGED' && row.operationId === '')",
  ),
  mutant(
    'a log row is overwritten',
    'shared/verifications/log-table.ts',
    'put(tableName, itemOf(entry), ABSENT)',
    'put(tableName, itemOf(entry), where`attribute_not_exists(nothing)`)',
  ),
];

const RETURN: readonly Mutant[] = [
  mutant(
    'a hold is released without a condition',
    'tables/wallet-table.ts',
    `'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
    `'attribute_exists(pk)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
  ),
  mutant(
    'a hold is released before VOID is decided',
    'end-operation.ts',
    'const stored = await retry(DECIDE_ATTEMPTS',
    'if (held) await tables.wallets.releaseHold(operation.wallet, held.hold, operation.cost);\n  const stored = await retry(DECIDE_ATTEMPTS',
  ),
];

const SWEEP: readonly Mutant[] = [
  mutant(
    'the sweeper does not log a charge before it clears the hold',
    'sweep.ts',
    "if (stored.state === 'VOID' || consumes(stored, hold))\n",
    "if (stored.state === 'VOID')\n",
  ),
  mutant(
    'the sweeper releases a hold without a decision',
    'sweep.ts',
    'const stored = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, clock));',
    `void decideAbandoned;
  if (!decided) {
    await tables.wallets.releaseHold(wallet, hold, entry.cost);
    return 'released';
  }
  const stored = decided;`,
  ),
  mutant(
    'the sweeper ignores which hold the charge row names',
    'sweep.ts',
    'if (consumes(stored, hold)) return clear',
    "if (stored.state === 'CHARGED') return settle",
    'late',
  ),
  mutant(
    'the sweeper settles a hold before it expires',
    'sweep.ts',
    'const isExpired = clock.nowMs() >= entry.expiresAtMs;',
    'const isExpired = clock.nowMs() >= entry.expiresAtMs - 30_000;',
  ),
  mutant(
    'the sweeper clears a charged hold that is not logged',
    'sweep.ts',
    "return isLogged ? clear(wallet, hold, tables) : 'open';",
    'void isLogged;\n    return clear(wallet, hold, tables);',
  ),
];

const IDEMPOTENCY: readonly Mutant[] = [
  mutant(
    'a claim overwrites the idempotency row',
    'tables/idempotency-table.ts',
    PUT_IF_ABSENT,
    PUT_ALWAYS,
    'one-key',
  ),
  mutant(
    'a take-over does not decide the old attempt',
    'claim-key.ts',
    'return tables.charges.decide(operation.wallet, voidRow(abandoned, facts, clock.nowMs()));',
    'return voidRow(abandoned, facts, clock.nowMs());',
    'deadline',
  ),
  mutant(
    'a take-over has no condition',
    'tables/idempotency-table.ts',
    "'operationId = :old AND fingerprint = :seen'",
    "':old = :old AND :seen = :seen'",
    'one-key',
  ),
  mutant(
    'a take-over keeps the old start time',
    'claim-key.ts',
    'takeOver(wallet, claim.keyHash, row, stored)',
    'takeOver(wallet, claim.keyHash, { ...row, startedAtMs: stored.startedAtMs }, stored)',
    'one-key',
  ),
  mutant(
    'a key is taken over before its hold expires',
    'claim-key.ts',
    'if (isRunning(stored, clock.nowMs()))',
    'if (isRunning(stored, clock.nowMs() + 30_000))',
    'one-key',
  ),
  mutant(
    'a replay does not write the missing log row of its charge',
    'claim-key.ts',
    "if (!isLogged && (await logLate(entry, tables)) === 'erased')",
    'void [isLogged, logLate];\n    if (clock.nowMs() < 0)',
    'replays',
  ),
  mutant(
    'the number of replays is not limited',
    'tables/idempotency-table.ts',
    'size(replays) < :max',
    ':max = :max',
    'replays',
  ),
  mutant(
    'returning one replay to the allowance returns all',
    'tables/idempotency-table.ts',
    "'DELETE replays :replay', 'operationId = :operation', {",
    "'REMOVE replays', 'operationId = :operation AND :replay = :replay', {",
    'replays',
  ),
  mutant(
    'a running attempt is taken over at once and not decided',
    'claim-key.ts',
    'if (decided) return decided;',
    "if (decided) return decided;\n  if (clock.random() < 0.2) return { ...voidRow({ ...operation, id: stored.operationId }, { outcome: 'REFUSED', httpStatus: 402, provider: '', latencyMs: 0 }, 0) };",
    'one-key',
  ),
];

const CREDIT: readonly Mutant[] = [
  mutant('a top-up overwrites its credit row', 'tables/credit-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  mutant(
    'a transfer between shards has no condition',
    'tables/shard-table.ts',
    "ConditionExpression: 'available >= :taken'",
    "ConditionExpression: ':taken = :taken'",
    'scarce',
  ),
  mutant(
    'a transfer records only what it takes',
    'tables/shard-table.ts',
    'ADD moved :amount',
    'ADD moved :taken',
    'scarce',
  ),
];

export const MUTANTS: readonly Mutant[] = [
  ...RESERVE,
  ...DECIDE,
  ...RETURN,
  ...SWEEP,
  ...IDEMPOTENCY,
  ...CREDIT,
  ...ERASURE,
  ...GIVE_UP_MUTANTS,
];

/** Limits a shard to 2 holds, so that a few requests fill it. Every rule must still hold. */
export const TWO_HOLDS: Patch = {
  file: `${LEDGER}/rows/wallet.ts`,
  find: 'export const MAX_HOLDS = 100;',
  replace: 'export const MAX_HOLDS = 2;',
};
