import * as v from 'valibot';

/**
 * The wallet: shapes and pure rules. A wallet is spread over shards, each one item with what can be spent and the
 * holds in flight. Source: ledger design. All amounts are whole credits.
 */

export const hold = v.object({
  requestId: v.string(),
  cost: v.number(),
  service: v.string(),
  keyLabel: v.string(),
  /** Pseudonym of the number: the sweeper writes the log row under it. */
  numberTag: v.string(),
  /** Epoch milliseconds from which on the sweeper decides the operation. */
  expiresAtMs: v.number(),
  /** How often the sweeper failed on it. */
  sweepFailures: v.optional(v.number()),
});
export type Hold = v.InferOutput<typeof hold>;

export const walletShard = v.object({
  shard: v.number(),
  /** What can be spent. Never below zero. */
  available: v.number(),
  /** Everything ever credited to this shard, corrections included. Only ever changed together with a credit row. */
  credited: v.number(),
  holds: v.record(v.string(), hold),
});
export type WalletShard = v.InferOutput<typeof walletShard>;

/** A hold, where it lies. */
export interface PlacedHold {
  readonly shard: number;
  readonly holdId: string;
}

/** From request start: function timeout 28 s, and room for clocks that differ. */
export const HOLD_LIFE_MS = 40_000;
/** The bulkhead: at most this many holds a shard (ledger design, "Scale"). */
export const MAX_HOLDS = 100;
/** Holds that one reserve may clear away: an expression has 4 KB. */
export const MAX_CLEARED = 30;
/** Failed sweeps after which a hold is left to a person. */
export const QUARANTINE_AFTER = 5;

/** The hold id of the n-th send of a reserve. Each send has its own, so that a late duplicate is recognised. */
export function holdIdOf(operationId: string, send: number): string {
  return `${operationId}.${send}`;
}

export function operationIdOf(holdId: string): string {
  return holdId.slice(0, holdId.indexOf('.'));
}

/** A hold of this operation, if one of its sends arrived. */
export function ownHold(shard: WalletShard, operationId: string): PlacedHold | undefined {
  const holdId = Object.keys(shard.holds).find((id) => operationIdOf(id) === operationId);
  return holdId === undefined ? undefined : { shard: shard.shard, holdId };
}

/** Why a shard refused a reserve; undefined where it could have taken it. */
export function rejectionOf(shard: WalletShard, cost: number): 'short' | 'full' | undefined {
  if (shard.available < cost) return 'short';
  return Object.keys(shard.holds).length >= MAX_HOLDS ? 'full' : undefined;
}

/** The holds of a shard, those that expire first in front. */
export function oldestHolds(shard: WalletShard): [string, Hold][] {
  return Object.entries(shard.holds).sort(([, a], [, b]) => a.expiresAtMs - b.expiresAtMs);
}

export function isQuarantined(entry: Hold): boolean {
  return (entry.sweepFailures ?? 0) >= QUARANTINE_AFTER;
}

export interface Balance {
  readonly available: number;
  /** Cost of all holds; it may include charged ones that are still settling (decision E7). */
  readonly held: number;
  readonly credited: number;
}

/** What the shards add up to. */
export function balanceOf(shards: readonly WalletShard[]): Balance {
  const sum = (amount: (shard: WalletShard) => number) =>
    shards.reduce((total, shard) => total + amount(shard), 0);
  return {
    available: sum((shard) => shard.available),
    held: sum((shard) => Object.values(shard.holds).reduce((total, { cost }) => total + cost, 0)),
    credited: sum((shard) => shard.credited),
  };
}

/** One step of a move: `amount` credits leave (negative) or enter (positive) the shard. */
export interface Transfer {
  readonly shard: number;
  readonly amount: number;
}

/**
 * The moves that bring `cost` credits into one shard that has room for a hold: the one that has most already.
 * Undefined where every shard is full. The caller has checked that the sum suffices.
 */
export function gatherTransfers(shards: readonly WalletShard[], cost: number): Transfer[] | undefined {
  const byBalance = [...shards].sort((a, b) => b.available - a.available);
  const target = byBalance.find(({ holds }) => Object.keys(holds).length < MAX_HOLDS);
  if (!target) return undefined;
  let missing = cost - target.available;
  const transfers: Transfer[] = [];
  for (const { shard, available } of byBalance) {
    if (shard === target.shard || missing <= 0 || available === 0) continue;
    const amount = Math.min(missing, available);
    transfers.push({ shard, amount: -amount });
    missing -= amount;
  }
  return [{ shard: target.shard, amount: -sumOf(transfers) }, ...transfers];
}

/** The moves that leave every shard with the same amount, give or take one credit; empty where they have it. */
export function evenTransfers(shards: readonly WalletShard[]): Transfer[] {
  const total = balanceOf(shards).available;
  const share = Math.floor(total / shards.length);
  const extra = total % shards.length;
  const sorted = [...shards].sort((a, b) => b.available - a.available);
  return sorted
    .map(({ shard, available }, place) => ({ shard, amount: share + (place < extra ? 1 : 0) - available }))
    .filter(({ amount }) => amount !== 0);
}

function sumOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((total, { amount }) => total + amount, 0);
}
