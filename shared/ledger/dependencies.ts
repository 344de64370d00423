import type { Clock } from '../core/clock.ts';
import type { VerificationLog } from './rows/log-entry.ts';
import type { ChargeTable } from './tables/charge-table.ts';
import type { IdempotencyTable } from './tables/idempotency-table.ts';
import type { ShardTable } from './tables/shard-table.ts';
import type { WalletTable } from './tables/wallet-table.ts';

/** Tests pass an in-memory store with the same conditions. */
export interface LedgerTables {
  readonly wallets: WalletTable;
  readonly shards: ShardTable;
  readonly charges: ChargeTable;
  readonly idempotency: IdempotencyTable;
  readonly log: VerificationLog;
}

/** The maximum doubles with each attempt, up to 200 ms, so that callers do not retry at the same time. */
export function jitterMs(attempts: number, clock: Clock): number {
  return clock.random() * Math.min(200, 10 * 2 ** attempts);
}

/**
 * Repeats an idempotent action: a plain update that collides with a transaction is rejected, but succeeds a moment
 * later. Throws the last error.
 */
export async function retry<T>(attempts: number, clock: Clock, action: () => Promise<T>): Promise<T> {
  for (let done = 1; done < attempts; done += 1) {
    try {
      return await action();
    } catch {
      await clock.pause(jitterMs(done, clock));
    }
  }
  return action();
}

/** It only saves work and is never trusted: a condition in the table guards every use of it. */
export interface InstanceMemory {
  /** Holds that are charged and logged, by shard key. The next reservations in the shard remove them. */
  readonly spent: Map<string, Set<string>>;
  /** By the key of the first shard. */
  readonly wallets: Map<string, WalletMemory>;
}

export interface WalletMemory {
  /** How many the wallet has. */
  readonly shards: number;
  /** Then it is forgotten. */
  untilMs: number;
  /** The last known ones, by shard. */
  readonly balances: Map<number, number>;
  lastShard?: number;
}

export function instanceMemory(): InstanceMemory {
  return { spent: new Map(), wallets: new Map() };
}
