import { type Mutant, mutant } from './mutant.ts';

/** A change to the protocol that breaks no rule, with the reason. The gate fails if a history detects it after all. */
export interface Equivalent {
  readonly mutant: Mutant;
  readonly reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    mutant: mutant(
      'the time is not checked before the first attempt to charge',
      'end-operation.ts',
      'if (clock.nowMs() >= timeBudget(operation.requestedAtMs).chargeByMs) {',
      'if (clock.nowMs() < 0) {',
      'deadline',
    ),
    reason:
      'The same time is checked before each attempt, and then VOID is written. Only the response may differ.',
  },
  {
    mutant: mutant(
      'a charge that would be late is not voided by its own request',
      'end-operation.ts',
      'await voidOperation(operation, late, held, tables, clock).catch(() => undefined);',
      'void [late, held, voidOperation];',
      'deadline',
    ),
    reason:
      'No charge row exists. The sweeper or the next request with the key voids the operation after 40 s.',
  },
  {
    mutant: mutant(
      'a rejected request does not void the claim of its key',
      'shared/verifications/middleware/settle.ts',
      'return release(state.operation, undefined, end, deps);',
      'return uncharged(resultOf(end));',
      'one-key',
    ),
    reason: 'The next request with the key has to wait for 40 s, and then voids the operation itself.',
  },
  {
    mutant: mutant(
      'the shard is not read after the response to a reserve was lost',
      'reserve.ts',
      "const seen = result.kind === 'lost' ? await this.#read(shard) : result.shard;",
      "const seen = result.kind === 'lost' ? undefined : result.shard;\n      void this.#read;",
      'late',
    ),
    reason:
      'The request reserves its cost twice, and the sweeper releases the hold that no charge row names.',
  },
];
