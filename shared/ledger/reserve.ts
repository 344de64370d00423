import { shardPk } from '../core/keys.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type LedgerTools } from './dependencies.ts';
import type { Operation } from './operation.ts';
import { type Reservation, ReserveAttempt } from './reserve-attempt.ts';
import { balanceOf, gatherTransfers } from './rows/wallet.ts';

const SNAPSHOT_TRIES = 3;

/**
 * Sets the operation's cost aside on one shard (ledger design, step 1). `shards` is the wallet's K.
 * Every send carries a hold id of its own and nothing below repeats a send, so that a late duplicate can be told
 * from the hold that is charged.
 */
export async function reserveCredit(
  operation: Operation,
  shards: number,
  tables: LedgerTables,
  memory: InstanceMemory,
  tools: LedgerTools,
): Promise<Reservation> {
  const attempt = new ReserveAttempt(operation, tables, memory, tools);
  let anyFull = false;
  for (const shard of shardOrder(operation, shards, memory, tools)) {
    const result = await attempt.onShard(shard);
    if (result === 'full') anyFull = true;
    else if (result !== 'short') return result;
  }
  if (shards === 1) return { kind: anyFull ? 'full' : 'short' };
  return gather(operation, shards, attempt, tables, tools);
}

/**
 * All shards refused. One snapshot tells whether the wallet can pay; if it can, the credit is moved into one shard.
 * Shards read one after another would give a false 402 while a credit moves between them.
 */
async function gather(
  operation: Operation,
  shards: number,
  attempt: ReserveAttempt,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<Reservation> {
  for (let tries = 0; tries < SNAPSHOT_TRIES; tries += 1) {
    const all = await tables.shards.snapshot(operation.wallet, shards).catch(() => undefined);
    if (all) {
      if (balanceOf(all).available < operation.cost) return { kind: 'short' };
      const transfers = gatherTransfers(all, operation.cost);
      const target = transfers?.[0];
      if (!target) return { kind: 'full' };
      const moved = target.amount === 0 || (await attempt.transfer(transfers));
      const result = moved ? await attempt.onShard(target.shard) : 'short';
      if (result !== 'short' && result !== 'full') return result;
    }
    await tools.pause(jitterMs(tries, tools));
  }
  return { kind: 'unavailable' };
}

/** The shard that served last while it can pay; then the others at random, weighted by the balance last seen. */
function shardOrder(
  operation: Operation,
  shards: number,
  memory: InstanceMemory,
  tools: LedgerTools,
): number[] {
  const balance = (shard: number) => memory.balances.get(shardPk(operation.wallet, shard));
  const last = memory.lastShard.get(shardPk(operation.wallet, 0));
  const keepsLast = last !== undefined && last < shards && (balance(last) ?? 0) >= operation.cost;
  // A shard never seen counts as rich: somebody has to look. The key u^(1/w) draws without replacement by weight.
  const weight = (shard: number) => Math.max(balance(shard) ?? 1_000, 0.001);
  const drawn = Array.from({ length: shards }, (_, shard) => ({
    shard,
    draw: keepsLast && shard === last ? 2 : tools.random() ** (1 / weight(shard)),
  }));
  return drawn.sort((a, b) => b.draw - a.draw).map(({ shard }) => shard);
}
