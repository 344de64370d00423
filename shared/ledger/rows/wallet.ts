import * as v from 'valibot';

/**
 * A wallet is spread over shards; each shard is one item with the available credits and the holds of requests in
 * flight. See docs/design/ledger.md. All amounts are whole credits.
 */

export const hold = v.object({
  requestId: v.string(),
  cost: v.number(),
  service: v.string(),
  keyLabel: v.string(),
  /** Pseudonym of the number. */
  numberTag: v.string(),
  /** Epoch milliseconds. After this time the sweeper decides the operation. */
  expiresAtMs: v.number(),
  /** The details for the log row, so that the sweeper writes the same row as the request (decision 3). */
  consent: v.optional(v.string()),
  reason: v.optional(v.string()),
  reference: v.optional(v.string()),
  idempotencyHash: v.optional(v.string()),
  /** Sweeps that failed to settle this hold, without failures of a table. */
  sweepFailures: v.optional(v.number()),
});
export type Hold = v.InferOutput<typeof hold>;

export const walletShard = v.object({
  shard: v.number(),
  available: v.number(),
  /** Sum of all credits of this shard, including corrections. */
  credited: v.number(),
  /**
   * Credits that transfers brought, minus those that they took; 0 over all shards. If shards are read without a
   * transaction, the sum shows how much a transfer has distorted the reading.
   */
  moved: v.optional(v.number()),
  /** Nothing sets it: DynamoDB would delete the shard. */
  expiresAt: v.optional(v.unknown()),
  holds: v.record(v.string(), hold),
});
export type WalletShard = v.InferOutput<typeof walletShard>;

/** The address of a hold. */
export interface PlacedHold {
  readonly shard: number;
  readonly holdId: string;
}

/** The function's timeout of 28 s, plus a margin for clocks that differ. */
export const HOLD_LIFE_MS = 40_000;
/** The sweeper settles a hold at most this long after its expiry (docs/design/ledger.md). */
export const SETTLED_WITHIN_MS = 120_000;
/** The bulkhead: at most this many holds per shard (docs/design/ledger.md). */
export const MAX_HOLDS = 100;
/**
 * At most this many holds are cleared by one reserve: its expression stays far below DynamoDB's limit of 4 KB.
 */
export const MAX_CLEARED = 30;
/** The number of failed sweeps after which a hold is quarantined for an operator. */
const QUARANTINE_AFTER = 5;

/** Each send has its own ID, so that a late duplicate is recognised. */
export function holdIdOf(operationId: string, send: number): string {
  return `${operationId}.${send}`;
}

export function operationIdOf(holdId: string): string {
  return holdId.slice(0, holdId.indexOf('.'));
}

export function ownHold(shard: WalletShard, operationId: string): PlacedHold | undefined {
  const holdId = Object.keys(shard.holds).find((id) => operationIdOf(id) === operationId);
  return holdId === undefined ? undefined : { shard: shard.shard, holdId };
}

/** Returns why a shard rejects a reserve. */
export function rejectionOf(shard: WalletShard, cost: number): 'short' | 'full' | undefined {
  if (shard.available < cost) return 'short';
  return Object.keys(shard.holds).length >= MAX_HOLDS ? 'full' : undefined;
}

/**
 * Whether the shards could pay if the holds that will soon be settled were released. A quarantined or overdue hold does
 * not count, because the caller might wait for ever.
 */
export function isCoveredByHolds(shards: readonly WalletShard[], cost: number, nowMs: number): boolean {
  let credits = 0;
  for (const { available, holds } of shards) {
    credits += available;
    for (const hold of Object.values(holds)) if (isSettledSoon(hold, nowMs)) credits += hold.cost;
  }
  return credits >= cost;
}

function isSettledSoon(entry: Hold, nowMs: number): boolean {
  return nowMs < entry.expiresAtMs + SETTLED_WITHIN_MS && !isQuarantined(entry);
}

export function oldestHolds(shard: WalletShard): [string, Hold][] {
  return Object.entries(shard.holds).sort(([, a], [, b]) => a.expiresAtMs - b.expiresAtMs);
}

export function isQuarantined(entry: Hold): boolean {
  return (entry.sweepFailures ?? 0) >= QUARANTINE_AFTER;
}

export interface Balance {
  readonly available: number;
  readonly held: number;
  readonly credited: number;
}

/** Returns the totals of all shards. Holds that are charged but not cleared yet count as held (see `withoutSpent`). */
export function balanceOf(shards: readonly WalletShard[]): Balance {
  const sum = (amount: (shard: WalletShard) => number) =>
    shards.reduce((total, shard) => total + amount(shard), 0);
  return {
    available: sum((shard) => shard.available),
    held: sum((shard) => Object.values(shard.holds).reduce((total, { cost }) => total + cost, 0)),
    credited: sum((shard) => shard.credited),
  };
}

/** `amount` credits leave (negative) or enter (positive) the shard. */
export interface Transfer {
  readonly shard: number;
  readonly amount: number;
}

/**
 * Returns the transfers that raise one shard to `cost`: of the shards with room for a hold, the one with the most
 * credits. The caller has checked that the total suffices.
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

/** Returns the transfers after which the amounts of all shards differ by at most one credit. */
export function evenTransfers(shards: readonly WalletShard[]): Transfer[] {
  const total = balanceOf(shards).available;
  const share = Math.floor(total / shards.length);
  const extra = total % shards.length;
  const sorted = [...shards].sort((a, b) => b.available - a.available);
  return sorted
    .map(({ shard, available }, index) => ({ shard, amount: share + (index < extra ? 1 : 0) - available }))
    .filter(({ amount }) => amount !== 0);
}

function sumOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((total, { amount }) => total + amount, 0);
}

export function isUnused({ available, credited, holds }: WalletShard): boolean {
  return available === 0 && credited === 0 && Object.keys(holds).length === 0;
}
