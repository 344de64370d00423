import type { WalletId } from '../../shared/core/keys.ts';
import type { LedgerRequest } from './request.ts';
import { type FaultRates, NO_FAULTS } from './simulation/network.ts';
import { type Random, seededRandom } from './simulation/random.ts';

/** What is meant to happen in one history, before faults and chance have their say. Plain data, so it can be cut down. */
export interface Plan {
  readonly seed: number;
  readonly wallets: readonly PlannedWallet[];
  readonly instances: number;
  readonly calls: readonly PlannedCall[];
  readonly payments: readonly PlannedPayment[];
  readonly sweeps: readonly { readonly atMs: number; readonly skewMs: number }[];
  /** Instants at which an operator spreads the credit of the first wallet anew. */
  readonly moves: readonly number[];
  /** When the first wallet gets one more shard. */
  readonly raiseAtMs?: number;
  /** When faults end. */
  readonly calmAtMs: number;
  readonly rates: FaultRates;
}

export interface PlannedWallet extends WalletId {
  readonly shards: number;
  readonly credits: number;
}

/** One wish of a client: it is sent until it is fulfilled, and sometimes again after that. */
export interface PlannedCall {
  readonly wallet: number;
  readonly atMs: number;
  readonly key?: string;
  readonly number: string;
  readonly cost: number;
  /** What the registry does, send by send; the last one repeats. */
  readonly registry: readonly [LedgerRequest['registry'], ...LedgerRequest['registry'][]];
  readonly retries: number;
  readonly retryAfterMs: number;
  /** Sends again under the same key after an answer with data. */
  readonly repeats: number;
}

export interface PlannedPayment {
  readonly wallet: number;
  readonly atMs: number;
  readonly reference: string;
  readonly amount: number;
}

const DAY_MS = 24 * 3600_000;

/** Kinds of histories; each looks for trouble in another corner. */
const STYLES = ['mixed', 'scarce', 'one-key', 'late', 'replays', 'zombies'] as const;
export type Style = (typeof STYLES)[number];

/** `maxCalls` keeps histories short where each call costs time. */
export function planOf(seed: number, style?: Style, maxCalls = 10): Plan {
  const random = seededRandom(seed * 2654435761);
  const chosen = style ?? random.pick(STYLES);
  const span = random.pick([20, 300, 5_000, 60_000]);
  const wallets = plannedWallets(random, chosen);
  const isShort = maxCalls < 10;
  const calls = Array.from(
    { length: random.between(1, Math.min(maxCalls, chosen === 'mixed' ? 10 : 6)) },
    () => plannedCall(random, chosen, wallets.length, span, isShort ? 2 : 4),
  );
  return {
    seed,
    wallets,
    instances: random.between(1, 4),
    calls,
    payments: plannedPayments(random, wallets.length, span),
    sweeps: Array.from({ length: random.between(0, mostSweeps(chosen, isShort)) }, () => ({
      atMs: random.between(0, 150_000),
      skewMs: random.between(-4_500, 4_500),
    })),
    moves: Array.from({ length: random.chance(0.3) ? random.between(1, 3) : 0 }, () =>
      random.between(0, span),
    ),
    ...(random.chance(0.1) && { raiseAtMs: random.between(0, span) }),
    calmAtMs: random.between(60_000, 200_000),
    rates: plannedRates(random, chosen),
  };
}

function mostSweeps(style: Style, isShort: boolean): number {
  const most = style === 'zombies' ? 10 : 4;
  return isShort ? most / 2 : most;
}

function plannedWallets(random: Random, style: Style): PlannedWallet[] {
  const first: PlannedWallet = {
    env: 'live',
    organisationId: 'ORG',
    shards: style === 'scarce' ? random.between(2, 3) : random.between(1, 3),
    credits: style === 'replays' ? 9 : random.between(0, 6),
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
  const isKeyed = style === 'one-key' || style === 'replays' || random.chance(0.6);
  const body = style === 'mixed' ? random.between(1, 3) : 1;
  const key = `key-of-a-client-${style === 'mixed' ? random.between(1, 3) : 1}`;
  return {
    wallet: random.between(0, wallets - 1),
    atMs: random.between(0, span),
    ...(isKeyed && { key }),
    number: `1234567890${body}`,
    cost: style === 'scarce' ? random.between(1, 3) : body,
    registry: [plannedRegistry(random, style), plannedRegistry(random, style)],
    retries: random.between(0, isKeyed ? again : 1),
    retryAfterMs: random.pick([5, 200, 1_500, 20_000, 45_000, random.chance(0.05) ? 31 * DAY_MS : 60_000]),
    repeats: isKeyed && (style === 'replays' || random.chance(0.3)) ? random.between(1, again) : 0,
  };
}

function plannedRegistry(random: Random, style: Style): LedgerRequest['registry'] {
  const isFound = random.chance(style === 'one-key' ? 0.5 : 0.75);
  const other = random.pick(['not-found', 'failed', 'unreachable', 'throws'] as const);
  const latencyMs = random.chance(0.9)
    ? random.between(1, random.pick([5, 60, 3_000]))
    : random.between(15_000, 30_000);
  return { latencyMs, outcome: isFound ? 'found' : other };
}

/** Top-ups and a few corrections, each told to us once or several times, as payment webhooks do. */
function plannedPayments(random: Random, wallets: number, span: number): PlannedPayment[] {
  return Array.from({ length: random.chance(0.5) ? random.between(1, 3) : 0 }, (_, place) => {
    const wallet = random.between(0, wallets - 1);
    const amount = random.chance(0.2) ? -random.between(1, 2) : random.between(1, 4);
    const times = random.between(1, 3);
    return Array.from({ length: times }, () => ({
      wallet,
      atMs: random.between(0, span),
      reference: `payment-${place}`,
      amount,
    }));
  }).flat();
}

function plannedRates(random: Random, style: Style): FaultRates {
  if (random.chance(0.15)) return NO_FAULTS;
  const strength = random.pick([0.25, 1, 2]);
  const rate = (top: number) => random.next() * top * strength;
  // Decisions that do not arrive, and processes that wake up long after: who decided first?
  if (style === 'zombies')
    return { ...NO_FAULTS, notApplied: rate(0.2), lost: rate(0.1), late: rate(0.2), freeze: rate(0.15) };
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
