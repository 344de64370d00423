import { LEDGER, type Mutant, mutant, type Patch } from './mutant.ts';

const ATTEMPTS_AT_ANY_TIME: Patch = {
  file: `${LEDGER}/end-operation.ts`,
  find: 'attempts < CHARGE_ATTEMPTS && clock.nowMs() < chargeByMs;',
  replace: 'attempts < CHARGE_ATTEMPTS && chargeByMs > 0;',
};

/** Breaks how a request handles a table that does not respond, or its own deadline. */
const GIVE_UP: readonly Mutant[] = [
  mutant(
    'a record is returned although its log row failed for good',
    'end-operation.ts',
    '() => true,\n    () => false,',
    '() => true,\n    () => true,',
    'blackouts',
  ),
  mutant(
    'a record is returned although the decision is unknown',
    'end-operation.ts',
    "if (stored === undefined) return 'unknown';",
    "if (stored === undefined) return 'charged';",
    'blackouts',
  ),
  mutant(
    'a record is returned although the response to its charge is overdue',
    'shared/verifications/middleware/settle.ts',
    "withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'unknown' as const);",
    "withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'charged' as const);",
    'deadline',
  ),
  mutant(
    'an unknown decision is reported as a timeout',
    'end-operation.ts',
    "if (stored === undefined) return 'unknown';",
    "if (stored === undefined) return 'void';",
    'blackouts',
  ),
  mutant(
    'an overdue charge is reported as a timeout',
    'shared/verifications/middleware/settle.ts',
    "withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'unknown' as const);",
    "withDeadline(charging, respondByMs, clock.nowMs()).catch(() => 'void' as const);",
    'deadline',
  ),
  mutant(
    'the hold is released when the outcome is unknown',
    'shared/verifications/middleware/settle.ts',
    "return uncharged(new ServiceError('OUTCOME_UNKNOWN'));",
    "void ledger.wallets.releaseHold(operation.wallet, hold, operation.cost).catch(() => false);\n      return uncharged(new ServiceError('OUTCOME_UNKNOWN'));",
    'blackouts',
  ),
  {
    name: 'a charge begins after 25.5 s',
    patches: [
      {
        file: `${LEDGER}/end-operation.ts`,
        find: 'if (clock.nowMs() >= timeBudget(operation.requestedAtMs).chargeByMs) {',
        replace: 'if (clock.nowMs() < 0) {',
      },
      ATTEMPTS_AT_ANY_TIME,
    ],
    style: 'deadline',
  },
  mutant(
    'the SDK sends a charge again without a check of the time',
    'tables/charge-table.ts',
    "row.state === 'CHARGED' ? onceClient : client;",
    'onceClient && client;',
    'deadline',
  ),
  { name: 'a charge is tried again after 25.5 s', patches: [ATTEMPTS_AT_ANY_TIME], style: 'deadline' },
  mutant(
    'a hold is released although VOID could not be written',
    'end-operation.ts',
    '() => tables.charges.decide(operation.wallet, row));\n  if (held)',
    '() => tables.charges.decide(operation.wallet, row)).catch(() => row);\n  if (held)',
  ),
  mutant(
    'a hold is released although its log row failed for good',
    'end-operation.ts',
    'await retry(LOG_ATTEMPTS, clock, () => logRequest(entry, tables, clock));\n  if (',
    'await retry(LOG_ATTEMPTS, clock, () => logRequest(entry, tables, clock)).catch(() => undefined);\n  if (',
    'blackouts',
  ),
  mutant(
    'the sweeper releases a hold although VOID could not be written',
    'sweep.ts',
    'return tables.charges.decide(wallet, voidRow(operation, facts, clock.nowMs()));',
    'const row = voidRow(operation, facts, clock.nowMs());\n  return tables.charges.decide(wallet, row).catch(() => row);',
    'zombies',
  ),
  mutant(
    'the sweeper removes a hold although its log row could not be written',
    'sweep.ts',
    'await logLate(logEntryOf(stored, wallet, entry.numberTag, entry), tables);',
    'await logLate(logEntryOf(stored, wallet, entry.numberTag, entry), tables).catch(() => undefined);',
    'blackouts',
  ),
  mutant(
    'a reserve whose response is lost counts as held if the shard cannot be read',
    'reserve.ts',
    "if (seen === 'unknown') return this.unavailable();",
    "if (seen === 'unknown') return result.kind === 'lost' ? this.#held(result.hold, 0) : this.unavailable();",
    'blackouts',
  ),
  mutant(
    'a cancelled snapshot counts as too few credits',
    'reserve.ts',
    '    const all = snapshot ??',
    '    if (!snapshot) return attempt.short([]);\n    const all = snapshot ??',
    'scarce',
  ),
  mutant(
    '402 is returned if the wallet does not respond',
    'shared/verifications/middleware/claim-and-reserve.ts',
    "    case 'unavailable':\n",
    "    case 'unavailable':\n      if (operation.cost > 0) throw new ServiceError('INSUFFICIENT_FUNDS');\n",
    'blackouts',
  ),
];

const KEYS: readonly Mutant[] = [
  mutant(
    'the fingerprint is ignored',
    'shared/verifications/middleware/claim-and-reserve.ts',
    'const index = prints.find((ofForm) => ofForm.includes(stored))?.indexOf(stored) ?? -1;',
    'const index = 0;',
  ),
  mutant(
    'a charge is replayed after a day',
    'claim-key.ts',
    'Date.parse(earlier.decidedAt) + REPLAY_WINDOW_MS',
    'Date.parse(earlier.decidedAt) + 30 * REPLAY_WINDOW_MS',
    'days',
  ),
  mutant(
    'a request continues although its claim could not be written',
    'claim-key.ts',
    'await tables.idempotency.claim(wallet, claim.keyHash, row);',
    'await tables.idempotency.claim(wallet, claim.keyHash, row).catch(() => row);',
    'blackouts',
  ),
  mutant(
    'a request continues although another one took over its key first',
    'claim-key.ts',
    'if (!isOurs) throw',
    'if (!isOurs && clock.nowMs() < 0) throw',
    'one-key',
  ),
  mutant(
    'a take-over continues although it could not be written',
    'claim-key.ts',
    'row, stored);\n  if (!isOurs)',
    'row, stored).catch(() => true);\n  if (!isOurs)',
    'one-key',
  ),
  mutant(
    'an expired key is taken over without its condition',
    'tables/idempotency-table.ts',
    "return current['operationId'] === row.operationId;",
    "return current['operationId'] !== '';",
    'one-key',
  ),
  mutant(
    'a replay continues although the log row of its charge could not be written',
    'claim-key.ts',
    '    throw error;\n',
    '    void error;\n',
    'replays',
  ),
  mutant(
    'a replay returns its record although its own log row could not be written',
    'shared/verifications/middleware/settle.ts',
    'return endReplay(replay, { error: knownError(error), ...(course && { course }) }, deps);',
    "if ('result' in end) return { ...uncharged(end.result), replayOf: of };\n    return endReplay(replay, { error: knownError(error), ...(course && { course }) }, deps);",
    'replays',
  ),
  mutant(
    'a replay that returned its record is not counted',
    'end-operation.ts',
    "if (facts.outcome !== 'FOUND')",
    "if (facts.outcome !== 'VOID' as string)",
    'replays',
  ),
  mutant(
    'a key is claimed for good although its lifetime is over',
    'rows/idempotency.ts',
    'return nowMs >= row.expiresAt * 1000;',
    'return nowMs < 0 && row.expiresAt > 0;',
    'days',
  ),
];

export const GIVE_UP_MUTANTS: readonly Mutant[] = [...GIVE_UP, ...KEYS];
