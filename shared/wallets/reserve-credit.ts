import { consumes } from './charge.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type LedgerTools } from './ledger.ts';
import { holdOf, type Operation } from './operation.ts';
import {
  balanceOf,
  gatherTransfers,
  holdIdOf,
  MAX_CLEARED,
  oldestHolds,
  operationIdOf,
  ownHold,
  type PlacedHold,
  refusalOf,
  type Transfer,
  type WalletShard,
} from './wallet.ts';
import { walletPk } from './wallet-table.ts';

/**
 * - `held`: the cost is set aside under this hold.
 * - `short`: no shard can pay, by one snapshot of all of them: 402.
 * - `full`: there may be credit, but no shard takes one more hold: 429.
 * - `unavailable`: the tables did not answer; a late write may leave a hold, which the sweeper returns: 503.
 */
export type Reservation =
  | { readonly kind: 'held'; readonly placed: PlacedHold }
  | { readonly kind: 'short' | 'full' | 'unavailable' };

const SENDS_PER_SHARD = 4;
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

/** One reserve: it counts its sends over all shards, since each needs a hold id of its own. */
class ReserveAttempt {
  private sends = 0;
  private readonly operation: Operation;
  private readonly tables: LedgerTables;
  private readonly memory: InstanceMemory;
  private readonly tools: LedgerTools;

  constructor(operation: Operation, tables: LedgerTables, memory: InstanceMemory, tools: LedgerTools) {
    this.operation = operation;
    this.tables = tables;
    this.memory = memory;
    this.tools = tools;
  }

  async onShard(shard: number): Promise<Reservation | 'short' | 'full'> {
    let cleared = false;
    for (let tries = 0; tries < SENDS_PER_SHARD; tries += 1) {
      const result = await this.send(shard);
      if (result.kind === 'placed') return this.held(result.placed, result.available);
      if (result.kind === 'not-applied') {
        await this.tools.pause(jitterMs(tries, this.tools));
        continue;
      }
      const seen = result.kind === 'lost' ? await this.look(shard) : result.shard;
      if (seen === 'unknown') return { kind: 'unavailable' };
      const own = seen && ownHold(seen, this.operation.id);
      if (own) return this.held(own, seen.available);
      if (result.kind === 'lost') continue;
      const refusal = seen ? refusalOf(seen, this.operation.cost) : 'short';
      this.memory.balances.set(this.key(shard), seen?.available ?? 0);
      if (refusal === 'short' || cleared || !seen) return refusal ?? 'full';
      // Tables that do not answer now leave the shard full.
      cleared = await this.clearSpent(seen).catch(() => false);
      if (!cleared) return 'full';
    }
    return { kind: 'unavailable' };
  }

  /** False where nothing moved, or no answer tells: the next snapshot will. */
  transfer(transfers: readonly Transfer[]): Promise<boolean> {
    return this.tables.shards.transfer(this.operation.wallet, transfers).catch(() => false);
  }

  private key(shard: number): string {
    return walletPk(this.operation.wallet, shard);
  }

  private async send(shard: number) {
    const placed = { shard, holdId: holdIdOf(this.operation.id, this.sends) };
    this.sends += 1;
    const spent = this.memory.spent.get(this.key(shard));
    const cleared = [...(spent ?? [])].slice(0, MAX_CLEARED);
    const result = await this.tables.wallets.placeHold(
      this.operation.wallet,
      placed,
      holdOf(this.operation),
      cleared,
    );
    if (result.kind === 'placed') for (const holdId of cleared) spent?.delete(holdId);
    return { ...result, placed };
  }

  /** Reads the shard after a lost answer: is one of our holds there? */
  private async look(shard: number): Promise<WalletShard | undefined | 'unknown'> {
    try {
      return await this.tables.wallets.getShard(this.operation.wallet, shard);
    } catch {
      return 'unknown';
    }
  }

  private held(placed: PlacedHold, available: number): Reservation {
    this.memory.balances.set(this.key(placed.shard), available);
    this.memory.lastShard.set(walletPk(this.operation.wallet, 0), placed.shard);
    return { kind: 'held', placed };
  }

  /** Makes room in a full shard: the oldest holds that are charged and logged are spent. True where some were. */
  private async clearSpent(seen: WalletShard): Promise<boolean> {
    const { wallet } = this.operation;
    const oldest = oldestHolds(seen).slice(0, MAX_CLEARED);
    const charges = await this.tables.charges.getCharges(wallet, [
      ...new Set(oldest.map(([holdId]) => operationIdOf(holdId))),
    ]);
    const spent: string[] = [];
    for (const [holdId, { numberTag }] of oldest) {
      const operationId = operationIdOf(holdId);
      const row = charges.find((charge) => charge.operationId === operationId);
      if (!row || !consumes(row, { shard: seen.shard, holdId })) continue;
      if (await this.tables.log.exists({ wallet, numberTag, operationId })) spent.push(holdId);
    }
    await this.tables.wallets.clearHolds(wallet, seen.shard, spent);
    return spent.length > 0;
  }
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
  const balance = (shard: number) => memory.balances.get(walletPk(operation.wallet, shard));
  const last = memory.lastShard.get(walletPk(operation.wallet, 0));
  const keepsLast = last !== undefined && last < shards && (balance(last) ?? 0) >= operation.cost;
  // A shard never seen counts as rich: somebody has to look. The key u^(1/w) draws without replacement by weight.
  const weight = (shard: number) => Math.max(balance(shard) ?? 1_000, 0.001);
  const drawn = Array.from({ length: shards }, (_, shard) => ({
    shard,
    draw: keepsLast && shard === last ? 2 : tools.random() ** (1 / weight(shard)),
  }));
  return drawn.sort((a, b) => b.draw - a.draw).map(({ shard }) => shard);
}
