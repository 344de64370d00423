import type { Style } from '../plan.ts';

/**
 * Broken variants of the protocol, as patches on the product's source text. Each must be caught by the histories;
 * one that survives, or that no longer applies, fails the suite. Source: ledger design, "Proof".
 */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  /** What is broken, in the design's words. */
  readonly name: string;
  readonly patches: readonly [Patch, ...Patch[]];
  /** The kind of history in which it shows soonest. */
  readonly style?: Style;
  /** Shows only where the bulkhead is small. */
  readonly isCrowded?: true;
}

const LEDGER = 'shared/ledger';
const one = (name: string, file: string, find: string, replace: string, style?: Style): Mutant => ({
  name,
  patches: [{ file: file.startsWith('shared/') ? file : `${LEDGER}/${file}`, find, replace }],
  ...(style && { style }),
});

const PUT_IF_ABSENT = "ConditionExpression: 'attribute_not_exists(pk)'";
const PUT_ALWAYS = "ConditionExpression: 'attribute_not_exists(nothing)'";

const RESERVE: readonly Mutant[] = [
  one(
    'no balance check',
    'tables/wallet-table.ts',
    "'available >= :cost AND size(holds) < :max'",
    "':cost = :cost AND size(holds) < :max'",
    'scarce',
  ),
  {
    ...one('no limit of holds', 'tables/wallet-table.ts', 'AND size(holds) < :max', 'AND :max = :max'),
    isCrowded: true,
  },
  one(
    'the same hold id on a retried reserve',
    'reserve.ts',
    'holdIdOf(this.operation.id, this.sends)',
    'holdIdOf(this.operation.id, 0)',
    'late',
  ),
  one(
    'piggyback of an unlogged hold',
    'settle.ts',
    'if (!(await logCharge(operation, stored, tables, tools))) return',
    'remember(held, memory);\n  if (!(await logCharge(operation, stored, tables, tools))) return',
    'zombies',
  ),
  one(
    '402 without a snapshot of all shards',
    'reserve.ts',
    "if (shards === 1) return { kind: anyFull ? 'full' : 'short' };",
    "if (shards > 0) return { kind: anyFull ? 'full' : 'short' };",
    'scarce',
  ),
];

const DECIDE: readonly Mutant[] = [
  one('decision without if-absent', 'tables/charge-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  one(
    'log before decision',
    'settle.ts',
    'const stored = await firstRow(',
    'await logCharge(operation, row, tables, tools);\n  const stored = await firstRow(',
  ),
  one(
    'response before decision',
    'shared/http/settle.ts',
    "const decision = await withDeadline(charging, respondByMs, tools.nowMs()).catch(() => 'unknown' as const);",
    "void charging.catch(() => 0); void withDeadline; void respondByMs;\n  const decision = 'charged' as 'charged' | 'unknown' | 'void';",
  ),
  one(
    'answer before log',
    'settle.ts',
    'if (!(await logCharge(operation, stored, tables, tools)))',
    'if ((void logCharge(operation, stored, tables, tools), false))',
  ),
  one(
    'a fenced request answers with data',
    'settle.ts',
    "if (stored.state === 'VOID') {",
    "if (stored.state === 'VOID' && tools.nowMs() < 0) {",
    'zombies',
  ),
  one(
    'a TTL on charge rows',
    'tables/charge-table.ts',
    "if (row.state === 'CHARGED')",
    "if (row.state === 'CHARGED' && row.operationId === '')",
  ),
  one('a log row that is overwritten', 'shared/verifications/log-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
];

const RETURN: readonly Mutant[] = [
  one(
    'hold returned without its condition',
    'tables/wallet-table.ts',
    `'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
    `'attribute_exists(pk)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
  ),
  one(
    'hold returned before VOID',
    'settle.ts',
    'const stored = await retry(DECIDE_TRIES',
    'if (held) await tables.wallets.releaseHold(operation.wallet, held.hold, operation.cost);\n  const stored = await retry(DECIDE_TRIES',
  ),
];

const SWEEP: readonly Mutant[] = [
  one(
    'sweeper removing a charged hold before its log',
    'sweep.ts',
    "if (stored.state === 'VOID' || consumes(stored, hold))\n",
    "if (stored.state === 'VOID')\n",
  ),
  one(
    'sweeper returning a hold without deciding',
    'sweep.ts',
    'const stored = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, tools));',
    `void decideAbandoned;
  if (!decided) {
    await tables.wallets.releaseHold(wallet, hold, entry.cost);
    return 'released';
  }
  const stored = decided;`,
  ),
  one(
    'sweeper ignoring which hold the charge names',
    'sweep.ts',
    'if (consumes(stored, hold)) return clear',
    "if (stored.state === 'CHARGED') return settle",
    'late',
  ),
  one(
    'sweeping before expiry',
    'sweep.ts',
    'const isExpired = tools.nowMs() >= entry.expiresAtMs;',
    'const isExpired = tools.nowMs() >= entry.expiresAtMs - 30_000;',
  ),
  one(
    'sweeper settling a charged hold that is not logged',
    'sweep.ts',
    "return isLogged ? clear(wallet, hold, tables) : 'open';",
    'void isLogged;\n    return clear(wallet, hold, tables);',
  ),
];

const IDEMPOTENCY: readonly Mutant[] = [
  one(
    'idempotency row without if-absent',
    'tables/idempotency-table.ts',
    PUT_IF_ABSENT,
    PUT_ALWAYS,
    'one-key',
  ),
  one(
    'take-over without deciding the old attempt',
    'idempotency.ts',
    'return tables.charges.decide(operation.wallet, voidRow(abandoned, facts, tools.nowMs()));',
    'return voidRow(abandoned, facts, tools.nowMs());',
    'one-key',
  ),
  one(
    'take-over without condition',
    'tables/idempotency-table.ts',
    "ConditionExpression: 'operationId = :old'",
    "ConditionExpression: ':old = :old'",
    'one-key',
  ),
  one(
    'take-over without a new start',
    'idempotency.ts',
    'takeOver(wallet, claim.keyHash, row, stored.operationId)',
    'takeOver(wallet, claim.keyHash, { ...row, startedAtMs: stored.startedAtMs }, stored.operationId)',
    'one-key',
  ),
  one(
    'taking over before expiry',
    'idempotency.ts',
    'if (isRunning(stored, tools.nowMs()))',
    'if (isRunning(stored, tools.nowMs() + 30_000))',
    'one-key',
  ),
  one(
    'replay without the log row',
    'idempotency.ts',
    'await tables.log.writeOnce(logEntryOf(earlier, wallet, numberTag));',
    'void [logEntryOf, numberTag];',
    'replays',
  ),
  one(
    'replays without limit',
    'tables/idempotency-table.ts',
    'size(replays) < :max',
    ':max = :max',
    'replays',
  ),
  one(
    'a replay given back twice',
    'tables/idempotency-table.ts',
    "'DELETE replays :replay', 'operationId = :operation', {",
    "'REMOVE replays', 'operationId = :operation AND :replay = :replay', {",
    'replays',
  ),
  one(
    'a refusal that leaves its key undecided, and the key taken over at once',
    'idempotency.ts',
    'if (decided) return decided;',
    "if (decided) return decided;\n  if (tools.random() < 0.2) return { ...voidRow({ ...operation, id: stored.operationId }, { outcome: 'REFUSED', httpStatus: 402, provider: '', latencyMs: 0 }, 0) };",
    'one-key',
  ),
];

const CREDIT: readonly Mutant[] = [
  one('top-up without if-absent', 'tables/credit-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  one(
    'a move of credit without its condition',
    'tables/shard-table.ts',
    "ConditionExpression: 'available >= :taken'",
    "ConditionExpression: ':taken = :taken'",
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
];

/** A bulkhead so small that a handful of requests fill it: the same promises must hold. */
export const SMALL_BULKHEAD: Patch = {
  file: `${LEDGER}/rows/wallet.ts`,
  find: 'export const MAX_HOLDS = 100;',
  replace: 'export const MAX_HOLDS = 2;',
};
