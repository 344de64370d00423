import { shardPk } from '../core/keys.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type LedgerTools } from './dependencies.ts';
import { holdOf, type Operation } from './operation.ts';
import { consumes } from './rows/charge.ts';
import {
  balanceOf,
  gatherTransfers,
  holdIdOf,
  MAX_CLEARED,
  oldestHolds,
  operationIdOf,
  ownHold,
  type PlacedHold,
  rejectionOf,
  type Transfer,
  type WalletShard,
} from './rows/wallet.ts';

/**
 * The result of a reserve.
 * - `held`: the cost is reserved under this hold.
 * - `short`: one snapshot of all shards shows that the wallet cannot pay (402).
 * - `full`: there may be credit, but no shard accepts another hold (429).
 * - `unavailable`: the tables did not respond (503). A late write may leave a hold, which the sweeper releases.
 */
export type Reservation =
  | { readonly kind: 'held'; readonly hold: PlacedHold }
  | { readonly kind: 'short' | 'full' | 'unavailable' };

const SNAPSHOT_TRIES = 3;
const SENDS_PER_SHARD = 4;

/**
 * Reserves the operation's cost on one of the wallet's `shards` shards (ledger design, step 1). Every send carries its
 * own hold id and is never repeated, so that a late duplicate can be told apart from the hold that is charged.
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
 * Every shard rejected the hold. One snapshot shows whether the wallet can pay; if it can, credit moves into one shard.
 * Reading the shards one after another could give a false 402 while a credit moves between them.
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
      const isMoved = target.amount === 0 || (await attempt.transfer(transfers));
      const result = isMoved ? await attempt.onShard(target.shard) : 'short';
      if (result !== 'short' && result !== 'full') return result;
    }
    await tools.pause(jitterMs(tries, tools));
  }
  return { kind: 'unavailable' };
}

/** The shard used last while it can pay; then the others at random, weighted by their last known balance. */
function shardOrder(
  operation: Operation,
  shards: number,
  memory: InstanceMemory,
  tools: LedgerTools,
): number[] {
  const balance = (shard: number) => memory.balances.get(shardPk(operation.wallet, shard));
  const last = memory.lastShard.get(shardPk(operation.wallet, 0));
  const keepsLast = last !== undefined && last < shards && (balance(last) ?? 0) >= operation.cost;
  // An unknown shard counts as rich, so that it is tried at some point. The key u^(1/w) samples by weight without
  // replacement.
  const weight = (shard: number) => Math.max(balance(shard) ?? 1_000, 0.001);
  const sampled = Array.from({ length: shards }, (_, shard) => ({
    shard,
    key: keepsLast && shard === last ? 2 : tools.random() ** (1 / weight(shard)),
  }));
  return sampled.sort((a, b) => b.key - a.key).map(({ shard }) => shard);
}

/** One reserve over all shards. It counts its sends, since each needs its own hold id. */
class ReserveAttempt {
  #sends = 0;
  readonly #operation: Operation;
  readonly #tables: LedgerTables;
  readonly #memory: InstanceMemory;
  readonly #tools: LedgerTools;

  constructor(operation: Operation, tables: LedgerTables, memory: InstanceMemory, tools: LedgerTools) {
    this.#operation = operation;
    this.#tables = tables;
    this.#memory = memory;
    this.#tools = tools;
  }

  async onShard(shard: number): Promise<Reservation | 'short' | 'full'> {
    let isCleared = false;
    for (let tries = 0; tries < SENDS_PER_SHARD; tries += 1) {
      const result = await this.#send(shard);
      if (result.kind === 'placed') return this.#held(result.hold, result.available);
      if (result.kind === 'not-applied') {
        await this.#tools.pause(jitterMs(tries, this.#tools));
        continue;
      }
      const seen = result.kind === 'lost' ? await this.#read(shard) : result.shard;
      if (seen === 'unknown') return { kind: 'unavailable' };
      const own = seen && ownHold(seen, this.#operation.id);
      if (own) return this.#held(own, seen.available);
      if (result.kind === 'lost') continue;
      const rejection = seen ? rejectionOf(seen, this.#operation.cost) : 'short';
      this.#memory.balances.set(this.#key(shard), seen?.available ?? 0);
      if (rejection === 'short' || isCleared || !seen) return rejection ?? 'full';
      // If the tables do not respond now, the shard stays full.
      isCleared = await this.#clearSpent(seen).catch(() => false);
      if (!isCleared) return 'full';
    }
    return { kind: 'unavailable' };
  }

  /** Moves credit between shards. Returns false if nothing moved or the response was lost: the next snapshot shows. */
  transfer(transfers: readonly Transfer[]): Promise<boolean> {
    return this.#tables.shards.transfer(this.#operation.wallet, transfers).catch(() => false);
  }

  #key(shard: number): string {
    return shardPk(this.#operation.wallet, shard);
  }

  async #send(shard: number) {
    const hold = { shard, holdId: holdIdOf(this.#operation.id, this.#sends) };
    this.#sends += 1;
    const spent = this.#memory.spent.get(this.#key(shard));
    const cleared = [...(spent ?? [])].slice(0, MAX_CLEARED);
    const result = await this.#tables.wallets.placeHold(
      this.#operation.wallet,
      hold,
      holdOf(this.#operation),
      cleared,
    );
    if (result.kind === 'placed') for (const holdId of cleared) spent?.delete(holdId);
    return { ...result, hold };
  }

  /** Reads the shard after a lost response, to see whether one of our holds arrived. */
  async #read(shard: number): Promise<WalletShard | undefined | 'unknown'> {
    try {
      return await this.#tables.wallets.getShard(this.#operation.wallet, shard);
    } catch {
      return 'unknown';
    }
  }

  #held(hold: PlacedHold, available: number): Reservation {
    this.#memory.balances.set(this.#key(hold.shard), available);
    this.#memory.lastShard.set(shardPk(this.#operation.wallet, 0), hold.shard);
    return { kind: 'held', hold };
  }

  /** Makes room in a full shard: clears the oldest holds that are charged and logged. Returns whether there were any. */
  async #clearSpent(seen: WalletShard): Promise<boolean> {
    const { wallet } = this.#operation;
    const oldest = oldestHolds(seen).slice(0, MAX_CLEARED);
    const charges = await this.#tables.charges.getCharges(wallet, [
      ...new Set(oldest.map(([holdId]) => operationIdOf(holdId))),
    ]);
    const spent: string[] = [];
    for (const [holdId, { numberTag }] of oldest) {
      const operationId = operationIdOf(holdId);
      const row = charges.find((charge) => charge.operationId === operationId);
      if (!row || !consumes(row, { shard: seen.shard, holdId })) continue;
      if (await this.#tables.log.exists({ wallet, numberTag, operationId })) spent.push(holdId);
    }
    await this.#tables.wallets.clearHolds(wallet, seen.shard, spent);
    return spent.length > 0;
  }
}
