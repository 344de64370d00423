import { DAY_MS } from '../../shared/core/clock.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { plannedBlackouts } from './plan-blackouts.ts';
import type { LedgerRequest } from './request.ts';
import { type Blackout, type FaultRates, NO_FAULTS } from './simulation/network.ts';
import { type Random, seededRandom } from './simulation/random.ts';

/** What clients, payers and operators do in one history. Plain data, so that a failing plan can be reduced. */
export interface Plan {
  readonly seed: number;
  readonly wallets: readonly PlannedWallet[];
  readonly instances: number;
  /** How far the clock of each function instance is ahead of the gateway's clock, or behind it if negative. */
  readonly skewsMs: readonly number[];
  readonly calls: readonly PlannedCall[];
  readonly payments: readonly PlannedPayment[];
  readonly sweeps: readonly { readonly atMs: number; readonly skewMs: number }[];
  /** Times at which an operator evens out the credit of the first wallet. */
  readonly transfers: readonly number[];
  /** When the first wallet receives one more shard. */
  readonly addShardAtMs?: number;
  /** When the faults end. */
  readonly calmAtMs: number;
  readonly rates: FaultRates;
  readonly blackouts: readonly Blackout[];
  readonly erasures: readonly PlannedErasure[];
  /** When the pepper is rotated. Instances notice it up to 15 minutes later. */
  readonly rotateAtMs?: number;
}

export interface PlannedWallet extends WalletId {
  readonly shards: number;
  readonly credits: number;
}

/** One request of a client, with its retries after failures and its repeats after success. */
export interface PlannedCall {
  readonly wallet: number;
  readonly atMs: number;
  readonly key?: string;
  readonly number: string;
  readonly cost: number;
  /** The delay until the function starts to serve the request, as in a cold start. */
  readonly startMs?: number;
  /** What the registry does at each attempt. The last entry applies to all further attempts. */
  readonly registry: readonly [LedgerRequest['registry'], ...LedgerRequest['registry'][]];
  readonly retries: number;
  readonly retryAfterMs: number;
  /** The number of further attempts under the same key after a record was returned. */
  readonly repeats: number;
}

/** An erasure of a number from the log of a wallet, by an operator whose clock may be wrong. */
export interface PlannedErasure {
  readonly wallet: number;
  readonly atMs: number;
  readonly number: string;
  readonly skewMs: number;
}

export interface PlannedPayment {
  readonly wallet: number;
  readonly atMs: number;
  readonly reference: string;
  readonly amount: number;
}

/** Kinds of histories. Each concentrates on different situations. */
const STYLES = [
  'mixed',
  'scarce',
  'one-key',
  'late',
  'replays',
  'zombies',
  'blackouts',
  'deadline',
  'days',
  'crowd',
  'erasures',
] as const;
export type Style = (typeof STYLES)[number];

/** Generates the plan for a seed. `maxCalls` keeps histories short where each call takes time. */
export function planOf(seed: number, style?: Style, maxCalls = 10): Plan {
  const random = seededRandom(seed * 2654435761);
  const chosen = style ?? random.pick(STYLES);
  const span = chosen === 'crowd' ? random.pick([20, 300]) : random.pick([20, 300, 5_000, 60_000]);
  const wallets = plannedWallets(random, chosen);
  const isShort = maxCalls < 10;
  const calls = Array.from(
    { length: random.between(chosen === 'crowd' ? maxCalls / 2 : 1, Math.min(maxCalls, maxCallsOf(chosen))) },
    () => plannedCall(random, chosen, wallets.length, span, isShort ? 2 : 4),
  );
  const instances = random.between(1, 4);
  const sweeps = Array.from({ length: random.between(0, maxSweeps(chosen, isShort)) }, () => ({
    atMs: random.between(0, 150_000),
    skewMs: random.between(-4_500, 4_500),
  }));
  const plan = {
    seed,
    wallets,
    instances,
    skewsMs: plannedSkews(random, instances),
    calls,
    payments: plannedPayments(random, wallets.length, span),
    sweeps,
    transfers: Array.from({ length: random.chance(0.3) ? random.between(1, 3) : 0 }, () =>
      random.between(0, span),
    ),
    ...(random.chance(0.1) && { addShardAtMs: random.between(0, span) }),
    calmAtMs: random.between(60_000, 200_000),
    rates: plannedRates(random, chosen),
    blackouts: plannedBlackouts(random, chosen, calls, sweeps, instances),
  };
  const planned = plannedErasures(random, chosen, wallets.length, calls);
  if (chosen !== 'erasures') return { ...plan, ...planned };
  // Sweeps begin up to 100 ms before each erasure, and may be frozen until it is over.
  const before = planned.erasures.flatMap(({ atMs }) =>
    Array.from({ length: 3 }, () => ({ atMs: atMs - random.between(0, 100), skewMs: 0 })),
  );
  return { ...plan, ...planned, sweeps: [...sweeps, ...before.filter(({ atMs }) => atMs > 0)] };
}

/**
 * Generates erasures, most while the number is being looked up or soon after, and sometimes a rotation of the pepper.
 * The pepper is never rotated while an erasure runs (docs/privacy/erase.md).
 */
function plannedErasures(random: Random, style: Style, wallets: number, calls: readonly PlannedCall[]) {
  const most = style === 'erasures' ? 2 : random.chance(0.1) ? 1 : 0;
  const erasures = Array.from({ length: random.between(Math.min(1, most), most) }, () => {
    const { atMs, number } = calls[random.between(0, calls.length - 1)] ?? { atMs: 0, number: '' };
    const skewMs = random.chance(0.3) ? random.between(-4_500, 4_500) : 0;
    const latestMs = random.pick([50, 5_000, 45_000, 120_000]);
    const delayMs = random.between(style === 'erasures' && latestMs > 45_000 ? 40_000 : 0, latestMs);
    return { wallet: random.between(0, wallets - 1), atMs: atMs + delayMs, number, skewMs };
  });
  if (!random.chance(style === 'erasures' || style === 'replays' ? 0.4 : 0.1)) return { erasures };
  const firstMs = Math.min(60_000, ...erasures.map(({ atMs }) => atMs));
  return { erasures, rotateAtMs: random.between(0, firstMs) };
}

/** Returns the clock errors of function instances: 0 in most histories, up to 4.5 s in others, as for sweepers. */
function plannedSkews(random: Random, instances: number): number[] {
  const worst = random.chance(0.3) ? 4_500 : 0;
  return Array.from({ length: instances }, () => random.between(-worst, worst));
}

function maxCallsOf(style: Style): number {
  return style === 'mixed' || style === 'crowd' ? 10 : 6;
}

function maxSweeps(style: Style, isShort: boolean): number {
  const most = style === 'zombies' ? 10 : 4;
  return isShort ? most / 2 : most;
}

function plannedWallets(random: Random, style: Style): PlannedWallet[] {
  const first: PlannedWallet = {
    env: 'live',
    organisationId: 'ORG',
    shards: style === 'scarce' ? random.between(2, 3) : random.between(1, 3),
    credits: style === 'replays' || style === 'erasures' ? 9 : style === 'crowd' ? 12 : random.between(0, 6),
  };
  if (!random.chance(0.1)) return [first];
  return [first, { env: 'test', organisationId: 'ORG', shards: 1, credits: random.between(0, 3) }];
}

function plannedCall(
  random: Random,
  style: Style,
  wallets: number,
  span: number,
  again: number,
): PlannedCall {
  const isRepeated = style === 'replays' || style === 'days' || (style === 'erasures' && random.chance(0.7));
  const isKeyed = style === 'one-key' || isRepeated || random.chance(0.6);
  const body = style === 'mixed' ? random.between(1, 3) : 1;
  // The same key with a different number makes a different request, even at the same price.
  const number = style === 'days' && random.chance(0.2) ? 2 : body;
  const key = `key-of-a-client-${style === 'mixed' ? random.between(1, 3) : 1}`;
  // The result is ready shortly before or after the deadline for a charge.
  const isLate = style === 'deadline' && random.chance(0.7);
  return {
    wallet: random.between(0, wallets - 1),
    atMs: random.between(0, span),
    ...(isKeyed && { key }),
    ...(isLate && { startMs: 3_500 }),
    number: `1234567890${number}`,
    cost: style === 'scarce' ? random.between(1, 3) : body,
    registry: isLate
      ? [lateRegistry(random), lateRegistry(random)]
      : [plannedRegistry(random, style), plannedRegistry(random, style)],
    retries: random.between(0, isKeyed ? again : 1),
    retryAfterMs: plannedWait(random, style),
    repeats: isKeyed && (isRepeated || random.chance(0.3)) ? random.between(1, again) : 0,
  };
}

/** Returns the longest time that a client waits before it sends again. */
function plannedWait(random: Random, style: Style): number {
  if (style === 'days') return random.pick([200, 60_000, DAY_MS, 2 * DAY_MS, 32 * DAY_MS]);
  return random.pick([5, 200, 1_500, 20_000, 45_000, random.chance(0.05) ? 31 * DAY_MS : 60_000]);
}

function plannedRegistry(random: Random, style: Style): LedgerRequest['registry'] {
  const isFound = random.chance(style === 'one-key' ? 0.5 : 0.75);
  const other = random.pick(['not-found', 'failed', 'unreachable', 'throws'] as const);
  const outcome = isFound ? 'found' : other;
  if ((style === 'blackouts' || style === 'crowd') && random.chance(0.7))
    return { latencyMs: random.between(100, 4_000), outcome };
  const latencyMs = random.chance(0.9)
    ? random.between(1, random.pick([5, 60, 3_000]))
    : random.between(15_000, 30_000);
  return { latencyMs, outcome };
}

/** Returns a result that is ready between 19.5 s and 27.4 s after the request. No charge may begin after 25.5 s. */
function lateRegistry(random: Random): LedgerRequest['registry'] {
  const latencyMs = random.between(16_000, 19_900);
  const stallMs = random.chance(0.3) ? 0 : random.between(20_500, 23_900) - latencyMs;
  return { latencyMs, stallMs, outcome: random.chance(0.9) ? 'found' : 'not-found' };
}

/** Generates top-ups and a few corrections. Each arrives one to three times, as payment webhooks do. */
function plannedPayments(random: Random, wallets: number, span: number): PlannedPayment[] {
  return Array.from({ length: random.chance(0.5) ? random.between(1, 3) : 0 }, (_, index) => {
    const wallet = random.between(0, wallets - 1);
    const amount = random.chance(0.2) ? -random.between(1, 2) : random.between(1, 4);
    const times = random.between(1, 3);
    return Array.from({ length: times }, () => ({
      wallet,
      atMs: random.between(0, span),
      reference: `payment-${index}`,
      amount,
    }));
  }).flat();
}

function plannedRates(random: Random, style: Style): FaultRates {
  if (random.chance(0.15)) return NO_FAULTS;
  // In the style `blackouts`, other faults are rarer. Otherwise, they would end most requests before a blackout.
  const strength =
    style === 'blackouts' ? random.pick([0, 0.1, 0.5]) : random.pick([0.25, 1, style === 'scarce' ? 4 : 2]);
  const rate = (top: number) => random.next() * top * strength;
  // Requests end between their charge and its log row, and new instances are the first to know the new pepper.
  if ((style === 'replays' || style === 'erasures') && random.chance(0.4))
    return {
      ...NO_FAULTS,
      ...{ kill: rate(0.08), conflict: rate(0.25), throttled: rate(0.3), notApplied: rate(0.1) },
    };
  // Decisions are lost, and processes continue long after their hold has expired, so other processes decide first.
  if (style === 'zombies')
    return { ...NO_FAULTS, notApplied: rate(0.2), lost: rate(0.1), late: rate(0.2), freeze: rate(0.15) };
  if (style === 'erasures' && random.chance(0.5))
    return { ...NO_FAULTS, notApplied: rate(0.2), kill: rate(0.03), freeze: rate(0.3) };
  return {
    lost: rate(0.08),
    notApplied: rate(0.06),
    late: rate(style === 'late' ? 0.25 : 0.05),
    conflict: rate(0.08),
    throttled: rate(0.04),
    kill: rate(0.03),
    freeze: rate(0.04),
  };
}
