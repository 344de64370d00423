import type { VerificationLog } from './rows/log-entry.ts';
import type { ChargeTable } from './tables/charge-table.ts';
import type { IdempotencyTable } from './tables/idempotency-table.ts';
import type { ShardTable } from './tables/shard-table.ts';
import type { WalletTable } from './tables/wallet-table.ts';

/** What the ledger's use cases work on. Tests hand in an in-memory store with the same conditions. */
export interface LedgerTables {
  readonly wallets: WalletTable;
  readonly shards: ShardTable;
  readonly charges: ChargeTable;
  readonly idempotency: IdempotencyTable;
  readonly log: VerificationLog;
}

export interface LedgerTools {
  nowMs(): number;
  /** Waits. */
  pause(ms: number): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export const REAL_TOOLS: LedgerTools = {
  nowMs: Date.now,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

/** A wait that grows with the tries and differs between callers: full jitter. */
export function jitterMs(tries: number, tools: LedgerTools): number {
  return tools.random() * Math.min(200, 10 * 2 ** tries);
}

/**
 * Repeats what may be repeated, with a wait between. The last error passes. For a busy wallet: a plain update that
 * meets a transaction is refused, and a moment later it is not.
 */
export async function persist<T>(tries: number, tools: LedgerTools, act: () => Promise<T>): Promise<T> {
  for (let done = 1; done < tries; done += 1) {
    try {
      return await act();
    } catch {
      await tools.pause(jitterMs(done, tools));
    }
  }
  return act();
}

/**
 * What one function instance remembers between requests. It is a help, never a truth: every use of it is guarded
 * by a condition in the table.
 */
export interface InstanceMemory {
  /** Holds that this instance has charged and logged, per shard key: its next reserve there clears them. */
  readonly spent: Map<string, Set<string>>;
  /** The last balance seen of each shard key. */
  readonly balances: Map<string, number>;
  /** The shard that served last, per wallet: an instance keeps to one while it can. */
  readonly lastShard: Map<string, number>;
}

export function instanceMemory(): InstanceMemory {
  return { spent: new Map(), balances: new Map(), lastShard: new Map() };
}
