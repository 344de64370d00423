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

const WALLETS = 'shared/wallets';
const one = (name: string, file: string, find: string, replace: string, style?: Style): Mutant => ({
  name,
  patches: [{ file: file.includes('/') ? file : `${WALLETS}/${file}`, find, replace }],
  ...(style && { style }),
});

const PUT_IF_ABSENT = "ConditionExpression: 'attribute_not_exists(pk)'";
const PUT_ALWAYS = "ConditionExpression: 'attribute_not_exists(nothing)'";

const RESERVE: readonly Mutant[] = [
  one(
    'no balance check',
    'wallet-table.ts',
    "'available >= :cost AND size(holds) < :max'",
    "':cost = :cost AND size(holds) < :max'",
    'scarce',
  ),
  {
    ...one('no limit of holds', 'wallet-table.ts', 'AND size(holds) < :max', 'AND :max = :max'),
    isCrowded: true,
  },
  one(
    'the same hold id on a retried reserve',
    'reserve-attempt.ts',
    'holdIdOf(this.operation.id, this.sends)',
    'holdIdOf(this.operation.id, 0)',
    'late',
  ),
  one(
    'piggyback of an unlogged hold',
    'decide-charge.ts',
    'if (!(await logCharge(operation, standing, tables, tools))) return',
    'remember(held, memory);\n  if (!(await logCharge(operation, standing, tables, tools))) return',
    'zombies',
  ),
  one(
    '402 without a snapshot of all shards',
    'reserve-credit.ts',
    "if (shards === 1) return { kind: anyFull ? 'full' : 'short' };",
    "if (shards > 0) return { kind: anyFull ? 'full' : 'short' };",
    'scarce',
  ),
];

const DECIDE: readonly Mutant[] = [
  one('decision without if-absent', 'charge-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  one(
    'log before decision',
    'decide-charge.ts',
    'const standing = await firstRow(',
    'await logCharge(operation, row, tables, tools);\n  const standing = await firstRow(',
  ),
  one(
    'answer before decision',
    'shared/http/middleware/wallet.ts',
    'request.response = await within(charge(exchange, outcome, facts, parts), answerByMs, tools.nowMs());',
    'exchange.creditsCharged = operation.cost; void charge(exchange, outcome, facts, parts).catch(() => 0); void within; void answerByMs;',
  ),
  one(
    'answer before log',
    'decide-charge.ts',
    'if (!(await logCharge(operation, standing, tables, tools)))',
    'if ((void logCharge(operation, standing, tables, tools), false))',
  ),
  one(
    'a fenced request answers with data',
    'decide-charge.ts',
    "if (standing.state === 'VOID') {",
    "if (standing.state === 'VOID' && tools.nowMs() < 0) {",
    'zombies',
  ),
  one(
    'a TTL on charge rows',
    'charge-table.ts',
    "if (row.state === 'CHARGED')",
    "if (row.state === 'CHARGED' && row.operationId === '')",
  ),
  one('a log row that is overwritten', 'shared/verifications/log-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
];

const RETURN: readonly Mutant[] = [
  one(
    'hold returned without its condition',
    'wallet-table.ts',
    `'attribute_exists(holds.#hold)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
    `'attribute_exists(pk)'),
        ExpressionAttributeNames: { '#hold': holdId },
        ExpressionAttributeValues: { ':cost': cost }`,
  ),
  one(
    'hold returned before VOID',
    'decide-charge.ts',
    'const standing = await persist(DECIDE_TRIES',
    'if (held) await tables.wallets.returnHold(operation.wallet, held.placed, operation.cost);\n  const standing = await persist(DECIDE_TRIES',
  ),
];

const SWEEP: readonly Mutant[] = [
  one(
    'sweeper removing a charged hold before its log',
    'sweep-holds.ts',
    "if (standing.state === 'VOID' || consumes(standing, placed))\n",
    "if (standing.state === 'VOID')\n",
  ),
  one(
    'sweeper returning a hold without deciding',
    'sweep-holds.ts',
    'const standing = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, tools));',
    `void decideAbandoned;
  if (!decided) {
    await tables.wallets.returnHold(wallet, placed, entry.cost);
    return 'returned';
  }
  const standing = decided;`,
  ),
  one(
    'sweeper ignoring which hold the charge names',
    'sweep-holds.ts',
    'if (consumes(standing, placed)) return settle',
    "if (standing.state === 'CHARGED') return settle",
    'late',
  ),
  one(
    'sweeping before expiry',
    'sweep-holds.ts',
    'const isPast = tools.nowMs() >= entry.expiresAtMs;',
    'const isPast = tools.nowMs() >= entry.expiresAtMs - 30_000;',
  ),
  one(
    'sweeper settling a charged hold that is not logged',
    'sweep-holds.ts',
    "return isLogged ? settle(wallet, placed, tables) : 'open';",
    'void isLogged;\n    return settle(wallet, placed, tables);',
  ),
];

const IDEMPOTENCY: readonly Mutant[] = [
  one('idempotency row without if-absent', 'idempotency-table.ts', PUT_IF_ABSENT, PUT_ALWAYS, 'one-key'),
  one(
    'take-over without deciding the old attempt',
    'begin-operation.ts',
    'return tables.charges.decide(operation.wallet, voidRow(abandoned, facts, tools.nowMs()));',
    'return voidRow(abandoned, facts, tools.nowMs());',
    'one-key',
  ),
  one(
    'take-over without condition',
    'idempotency-table.ts',
    "ConditionExpression: 'operationId = :old'",
    "ConditionExpression: ':old = :old'",
    'one-key',
  ),
  one(
    'take-over without a new start',
    'begin-operation.ts',
    'claim.keyHash,\n    row,\n    standing.operationId,',
    'claim.keyHash,\n    { ...row, startedAtMs: standing.startedAtMs },\n    standing.operationId,',
    'one-key',
  ),
  one(
    'taking over before expiry',
    'begin-operation.ts',
    'if (isRunning(standing, tools.nowMs()))',
    'if (isRunning(standing, tools.nowMs() + 30_000))',
    'one-key',
  ),
  one(
    'replay without the log row',
    'begin-operation.ts',
    'await tables.log.writeOnce(logEntryOf(earlier, wallet, numberTag));',
    'void [logEntryOf, numberTag];',
    'replays',
  ),
  one('replays without limit', 'idempotency-table.ts', 'size(replays) < :max', ':max = :max', 'replays'),
  one(
    'a replay given back twice',
    'idempotency-table.ts',
    "'DELETE replays :replay', 'operationId = :operation', {",
    "'REMOVE replays', 'operationId = :operation AND :replay = :replay', {",
    'replays',
  ),
  one(
    'a refusal that leaves its key undecided, and the key taken over at once',
    'begin-operation.ts',
    'if (decided) return decided;',
    "if (decided) return decided;\n  if (tools.random() < 0.2) return { ...voidRow({ ...operation, id: standing.operationId }, { outcome: 'REFUSED', httpStatus: 402, provider: '', latencyMs: 0 }, 0) };",
    'one-key',
  ),
];

const CREDIT: readonly Mutant[] = [
  one('top-up without if-absent', 'credit-table.ts', PUT_IF_ABSENT, PUT_ALWAYS),
  one(
    'a move of credit without its condition',
    'shard-table.ts',
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
  file: `${WALLETS}/wallet.ts`,
  find: 'export const MAX_HOLDS = 100;',
  replace: 'export const MAX_HOLDS = 2;',
};
