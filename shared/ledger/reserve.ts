import { type Clock, MINUTE_MS } from '../core/clock.ts';
import { shardPk, type WalletId } from '../core/keys.ts';
import { type InstanceMemory, jitterMs, type LedgerTables, type WalletMemory } from './dependencies.ts';
import { holdOf, type Operation } from './operation.ts';
import { consumes, logEntryOf } from './rows/charge.ts';
import {
  balanceOf,
  gatherTransfers,
  holdIdOf,
  isCoveredByHolds,
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
 * - `short`: the wallet cannot pay (402). `isReserved`: it could if the holds that are not charged were released.
 * - `full`: there may be credit, but no shard accepts another hold (429).
 * - `unavailable`: the tables did not respond, or too many writes collided (503). `cause`: the last error, if there was
 *   one. A late write may leave a hold, which the sweeper releases.
 */
type Reservation =
  | { readonly kind: 'held'; readonly hold: PlacedHold }
  | { readonly kind: 'short'; readonly isReserved: boolean }
  | { readonly kind: 'full' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

interface Rejection {
  readonly kind: 'rejected';
  readonly reason: 'short' | 'full';
  readonly seen: WalletShard | undefined;
}

const SNAPSHOT_ATTEMPTS = 5;
const SENDS_PER_SHARD = 4;

/**
 * Reserves the cost on one shard (docs/design/ledger.md). Every send has its own hold ID, so that a late duplicate can be
 * distinguished from the hold that is charged.
 */
export async function reserveCredit(
  operation: Operation,
  shards: number,
  tables: LedgerTables,
  memory: InstanceMemory,
  clock: Clock,
): Promise<Reservation> {
  const known = knownOf(operation.wallet, shards, memory, clock);
  const attempt = new ReserveAttempt(operation, tables, memory, known, clock);
  const first = await attempt.onShard(firstShard(operation, known, clock));
  if (first.kind !== 'rejected') return first;
  if (shards > 1) return gather(operation, shards, attempt, tables, clock);
  return first.reason === 'full' ? { kind: 'full' } : attempt.short(first.seen ? [first.seen] : []);
}

/**
 * Tries the other shards. If concurrent writes cancel the snapshot, shards are read individually: such a reading can
 * miss credit that is being moved, so it never leads to a 402.
 */
async function gather(
  operation: Operation,
  shards: number,
  attempt: ReserveAttempt,
  tables: LedgerTables,
  clock: Clock,
): Promise<Reservation> {
  const { wallet, cost } = operation;
  for (let attempts = 0; attempts < SNAPSHOT_ATTEMPTS; attempts += 1) {
    const snapshot = await tables.shards.snapshot(wallet, shards).catch(attempt.failed);
    const all = snapshot ?? (await readShards(wallet, shards, tables));
    attempt.remember(all);
    if (snapshot && balanceOf(snapshot).available < cost) return attempt.short(snapshot);
    const rich = all.filter((shard) => rejectionOf(shard, cost) !== 'short');
    const roomy = rich.filter((shard) => rejectionOf(shard, cost) === undefined);
    // A full shard comes last: room can be made there only if some of its holds are charged and logged.
    const target = anyOf(roomy, clock) ?? (await gatherInto(all, attempt, cost)) ?? anyOf(rich, clock);
    const result = target === undefined ? undefined : await attempt.onShard(target);
    if (result && result.kind !== 'rejected') return result;
    if (all.length > 0 && all.every((shard) => rejectionOf(shard, 0) === 'full')) return { kind: 'full' };
    await clock.pause(jitterMs(attempts, clock));
  }
  return attempt.unavailable();
}

async function readShards(wallet: WalletId, shards: number, tables: LedgerTables): Promise<WalletShard[]> {
  const refs = Array.from({ length: shards }, (_, shard) => ({ wallet, shard }));
  const rows = await tables.shards.getShards(refs).catch(() => []);
  return rows.map(({ row }) => row);
}

function anyOf(shards: readonly WalletShard[], clock: Clock): number | undefined {
  return shards[Math.floor(clock.random() * shards.length)]?.shard;
}

/** Returns undefined if no transfer was possible or confirmed. */
async function gatherInto(
  all: readonly WalletShard[],
  attempt: ReserveAttempt,
  cost: number,
): Promise<number | undefined> {
  if (balanceOf(all).available < cost) return undefined;
  const transfers = gatherTransfers(all, cost);
  const isMoved = transfers && (await attempt.transfer(transfers));
  return isMoved ? transfers[0]?.shard : undefined;
}

/** Only for a minute: `set-shards` and top-ups add credits to other shards, and the last one may be the busiest. */
function knownOf(wallet: WalletId, shards: number, { wallets }: InstanceMemory, clock: Clock): WalletMemory {
  const key = shardPk(wallet, 0);
  const nowMs = clock.nowMs();
  const known = wallets.get(key);
  if (known && known.shards === shards && nowMs < known.untilMs) return known;
  const fresh: WalletMemory = { shards, untilMs: nowMs + MINUTE_MS, balances: new Map() };
  wallets.set(key, fresh);
  return fresh;
}

/** The shard used last if its known balance suffices; otherwise one at random, weighted by balance. */
function firstShard(
  { cost }: Operation,
  { shards, balances, lastShard }: WalletMemory,
  clock: Clock,
): number {
  if (lastShard !== undefined && (balances.get(lastShard) ?? 0) >= cost) return lastShard;
  // An unknown shard counts as one with many credits, so that it is tried at some point. Choosing the largest key
  // u^(1/w) samples by weight.
  const weight = (shard: number) => Math.max(balances.get(shard) ?? 1_000, 0.001);
  const keys = Array.from({ length: shards }, (_, shard) => clock.random() ** (1 / weight(shard)));
  return keys.indexOf(Math.max(...keys));
}

class ReserveAttempt {
  #sends = 0;
  #cause: unknown;
  readonly #operation: Operation;
  readonly #tables: LedgerTables;
  readonly #memory: InstanceMemory;
  readonly #known: WalletMemory;
  readonly #clock: Clock;

  constructor(
    operation: Operation,
    tables: LedgerTables,
    memory: InstanceMemory,
    known: WalletMemory,
    clock: Clock,
  ) {
    this.#operation = operation;
    this.#tables = tables;
    this.#memory = memory;
    this.#known = known;
    this.#clock = clock;
  }

  async onShard(shard: number): Promise<Reservation | Rejection> {
    let isCleared = false;
    for (let attempts = 0; attempts < SENDS_PER_SHARD; attempts += 1) {
      const result = await this.#send(shard);
      if (result.kind === 'placed') return this.#held(result.hold, result.available);
      if (result.kind === 'not-applied') {
        await this.#clock.pause(jitterMs(attempts, this.#clock));
        continue;
      }
      const seen = result.kind === 'lost' ? await this.#read(shard) : result.shard;
      if (seen === 'unknown') return this.unavailable();
      const own = seen && ownHold(seen, this.#operation.id);
      if (own) return this.#held(own, seen.available);
      if (result.kind === 'lost') continue;
      const rejection = seen ? rejectionOf(seen, this.#operation.cost) : 'short';
      this.#known.balances.set(shard, seen?.available ?? 0);
      if (rejection === 'short' || isCleared || !seen)
        return { kind: 'rejected', reason: rejection ?? 'full', seen };
      // If the tables do not respond now, the shard stays full.
      isCleared = await this.#clearSpent(seen).catch(() => false);
      if (!isCleared) return { kind: 'rejected', reason: 'full', seen };
    }
    return this.unavailable();
  }

  /** Remembers the error of a call. */
  readonly failed = (error: unknown): undefined => {
    this.#cause = error;
    return undefined;
  };

  unavailable(): Reservation {
    return { kind: 'unavailable', cause: this.#cause };
  }

  /** So that the next request does not first try shards without credits. */
  remember(all: readonly WalletShard[]): void {
    for (const { shard, available } of all) this.#known.balances.set(shard, available);
  }

  /**
   * Holds that other instances have charged do not count as reserved. If the tables do not respond now, they do.
   */
  async short(all: readonly WalletShard[]): Promise<Reservation> {
    const { wallet, cost } = this.#operation;
    const isCovered = (rows: readonly WalletShard[]) => isCoveredByHolds(rows, cost, this.#clock.nowMs());
    const isReserved =
      isCovered(all) && isCovered(await this.#tables.shards.withoutSpentHolds(wallet, all).catch(() => all));
    return { kind: 'short', isReserved };
  }

  /** Returns false if nothing was moved, or if the response was lost: the next snapshot shows it. */
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
    // After a conflict, throttling or a timeout, the next request may choose another shard.
    if (result.kind === 'not-applied' || result.kind === 'lost') {
      this.#known.untilMs = 0;
      this.failed(result.error);
    }
    return { ...result, hold };
  }

  async #read(shard: number): Promise<WalletShard | undefined | 'unknown'> {
    try {
      return await this.#tables.wallets.getShard(this.#operation.wallet, shard);
    } catch (error) {
      this.failed(error);
      return 'unknown';
    }
  }

  #held(hold: PlacedHold, available: number): Reservation {
    this.#known.balances.set(hold.shard, available);
    this.#known.lastShard = hold.shard;
    return { kind: 'held', hold };
  }

  /** Clears the oldest holds that are charged and logged. Returns whether there were any. */
  async #clearSpent(seen: WalletShard): Promise<boolean> {
    const { wallet } = this.#operation;
    const oldest = oldestHolds(seen).slice(0, MAX_CLEARED);
    const charges = await this.#tables.charges.getCharges(wallet, [
      ...new Set(oldest.map(([holdId]) => operationIdOf(holdId))),
    ]);
    const spent: string[] = [];
    for (const [holdId, entry] of oldest) {
      const row = charges.find(({ operationId }) => operationId === operationIdOf(holdId));
      if (!row || !consumes(row, { shard: seen.shard, holdId })) continue;
      const found = await this.#tables.log.find(logEntryOf(row, wallet, entry.numberTag, entry));
      // If the number was erased, the hold is left to the sweeper, which writes the log row.
      if (found.isLogged && !found.isErased) spent.push(holdId);
    }
    await this.#tables.wallets.clearHolds(wallet, seen.shard, spent);
    return spent.length > 0;
  }
}
