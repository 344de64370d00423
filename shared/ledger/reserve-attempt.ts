import { shardPk } from '../core/keys.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type LedgerTools } from './dependencies.ts';
import { holdOf, type Operation } from './operation.ts';
import { consumes } from './rows/charge.ts';
import {
  holdIdOf,
  MAX_CLEARED,
  oldestHolds,
  operationIdOf,
  ownHold,
  type PlacedHold,
  refusalOf,
  type Transfer,
  type WalletShard,
} from './rows/wallet.ts';

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

/** One reserve: it counts its sends over all shards, since each needs a hold id of its own. */
export class ReserveAttempt {
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
    return shardPk(this.operation.wallet, shard);
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
    this.memory.lastShard.set(shardPk(this.operation.wallet, 0), placed.shard);
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
