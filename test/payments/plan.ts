import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { type FaultRates, NO_FAULTS } from '../ledger/simulation/network.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { plannedRates } from '../support/histories/planned-rates.ts';

/**
 * What customers, Paystack, forgers and finance officers do in one history. Plain data, so that a failing plan can be
 * reduced. A history has two busy spells, each around the end of a month in Lagos. `atMs` counts milliseconds from the
 * start of the spell, and the times of an order count from its own start.
 */
export interface PaymentPlan {
  readonly seed: number;
  /** Each wallet's shards, and the free credits that it begins with: at least 1, so that its first month is closed. */
  readonly wallets: readonly { readonly shards: number; readonly credits: number }[];
  readonly rates: FaultRates;
  /** The probability that Paystack does not respond. */
  readonly silent: number;
  /** Of the first wallet. */
  readonly automatic?: {
    readonly thresholdCredits: number;
    readonly credits: number;
    readonly monthlyCapKobo: number;
  };
  readonly orders: readonly PlannedOrder[];
  readonly charges: readonly (Spell & { readonly wallet: number; readonly cost: number })[];
  readonly acts: readonly PlannedAct[];
  /** When the scheduled functions run, in addition to once every ten minutes. */
  readonly sweeps: readonly Spell[];
}

export interface Spell {
  readonly spell: 0 | 1;
  readonly atMs: number;
}

export interface PlannedAct extends Spell {
  readonly wallet: number;
  readonly act: FinanceAct;
  /** How far the machine's clock is behind, undetected by the clock check. */
  readonly behindMs?: number;
}

export interface PlannedOrder extends Spell {
  readonly wallet: number;
  readonly credits: number;
  /** What Paystack takes; absent if no payment succeeds. */
  readonly pays?: {
    readonly afterMs: number;
    /** The difference from the order's total, in kobo. */
    readonly deltaKobo: number;
    readonly currency: 'NGN' | 'USD';
    readonly reversedAfterMs?: number;
  };
  readonly isDeclined: boolean;
  readonly webhooks: readonly { readonly afterMs: number; readonly isForged: boolean }[];
  /** When the browser returns to our page. */
  readonly returns: readonly number[];
}

export type FinanceAct =
  /** `order` is opened first, and may have expired when the money arrives. */
  | {
      readonly kind: 'transfer';
      readonly credits: number;
      readonly order?: { readonly validMs: number; readonly paidAfterMs: number };
    }
  | { readonly kind: 'promotion'; readonly credits: number; readonly expiresAfterMs?: number }
  | { readonly kind: 'correction'; readonly credits: number }
  /**
   * `lot` counts from the oldest. `again` repeats the refund at the same time, under the same or a different reference.
   */
  | {
      readonly kind: 'refund';
      readonly lot: number;
      readonly share: number;
      readonly again: 'no' | 'same' | 'other';
    }
  /** Takes a share of the unspent credits of each reversed payment back: `credit-note create --paid-back`. */
  | { readonly kind: 'take-back'; readonly share: number }
  | { readonly kind: 'resolve-reversal'; readonly as: 'loss' | 'receivable' }
  | { readonly kind: 'close' }
  | { readonly kind: 'reopen' };

export const SPELL_MS = 90 * MINUTE_MS;
/** When the month ends in a spell. */
export const MONTH_END_MS = 40 * MINUTE_MS;

export function planOf(seed: number): PaymentPlan {
  const random = seededRandom(seed * 2654435761);
  const wallets = Array.from({ length: random.between(1, 2) }, () => ({
    shards: random.pick([1, 1, 3]),
    credits: random.pick([1, 1, 5, 20]),
  }));
  const isCalm = random.chance(0.15);
  const many = <T>(most: number, make: () => T): T[] => Array.from({ length: random.between(0, most) }, make);
  const wallet = () => random.between(0, wallets.length - 1);
  const rivals = random.chance(0.15) ? plannedRivals(random) : undefined;
  const chargeback = random.chance(0.3) ? plannedChargeback(random) : undefined;
  const late = random.chance(0.2) ? [plannedLate(random, wallet())] : [];
  return {
    seed,
    wallets,
    rates: isCalm ? NO_FAULTS : plannedRates(random),
    silent: isCalm ? 0 : random.pick([0, 0.05, 0.3]),
    orders: [
      ...many(3, () => plannedOrder(random, wallet())),
      plannedOrder(random, wallet()),
      ...(chargeback ? chargeback.orders : []),
      ...late,
    ],
    charges: [
      ...many(8, () => ({ ...spell(random), wallet: wallet(), cost: random.between(1, 3) })),
      ...(rivals ? rivals.charges : []),
      ...(chargeback ? chargeback.charges : []),
    ],
    acts: [
      ...many(5, () => plannedActOf(random, wallet())),
      ...closings(random, wallets.length),
      ...(rivals ? rivals.acts : []),
      ...(chargeback ? chargeback.acts : []),
      ...many(1, () => plannedTransfer(random, wallet())),
    ],
    sweeps: many(4, () => spell(random)),
    ...(random.chance(0.4) && {
      automatic: {
        thresholdCredits: random.between(2, 8),
        credits: random.between(8, 12),
        monthlyCapKobo: 300_000,
      },
    }),
  };
}

/**
 * Returns acts and charges for a partly spent lot. They include two simultaneous refunds, which may together request
 * more than its unspent credits.
 */
function plannedRivals(random: Random) {
  const at = (minutes: number) => ({ spell: 0, atMs: minutes * MINUTE_MS, wallet: 0 }) as const;
  const first = random.between(1, 25);
  const share = random.pick([0.3, 0.4, 0.5]);
  return {
    acts: [
      { ...at(first), act: { kind: 'transfer', credits: 10 } },
      { ...at(first + 4), act: { kind: 'refund', lot: 0, share, again: 'other' } },
    ] as const,
    charges: [1, 2].map((minutes) => ({ ...at(first + minutes), cost: 2 })),
  };
}

/**
 * Returns an order whose payment is reversed after none, some or all of its credits were spent, and what finance
 * officers do about it. One of them may have a slow clock.
 */
function plannedChargeback(random: Random) {
  const at = (minutes: number) => ({ spell: 0, atMs: Math.round(minutes * MINUTE_MS), wallet: 0 }) as const;
  const first = random.between(1, 20);
  const reversedAfter = random.between(4, 40);
  const order: PlannedOrder = {
    ...at(first),
    credits: 6,
    pays: { afterMs: 20_000, deltaKobo: 0, currency: 'NGN', reversedAfterMs: reversedAfter * MINUTE_MS },
    isDeclined: false,
    webhooks: [{ afterMs: 22_000, isForged: false }],
    returns: [],
  };
  const end = MONTH_END_MS / MINUTE_MS;
  const after = () => Math.max(first + reversedAfter, end + 10) + random.between(1, 30);
  const book = (): PlannedAct => ({
    ...at(after()),
    act: { kind: 'resolve-reversal', as: random.pick(['loss', 'receivable']) },
    ...(random.chance(0.4) && { behindMs: HOUR_MS }),
  });
  const takeBack = (minutes: number): PlannedAct => ({
    ...at(minutes),
    act: { kind: 'take-back', share: random.pick([0.3, 1, 1]) },
  });
  const acts = [takeBack(first + reversedAfter + random.between(1, 10)), takeBack(after()), book(), book()];
  return {
    orders: [order],
    charges: Array.from({ length: random.between(0, 3) }, (_, index) => ({
      ...at(first + 2 + index / 4),
      cost: 2,
    })),
    acts: acts.filter(() => random.chance(0.7)),
  };
}

/** Returns an order that is paid after it expired, and after the stage's price has risen. */
function plannedLate(random: Random, wallet: number): PlannedOrder {
  const afterMs = random.pick([30 * HOUR_MS, 60 * HOUR_MS, 28 * DAY_MS]);
  return {
    spell: 0,
    atMs: random.between(0, MONTH_END_MS),
    wallet,
    credits: random.between(1, 12),
    pays: { afterMs, deltaKobo: 0, currency: 'NGN' },
    isDeclined: random.chance(0.2),
    // Again when there are no faults.
    webhooks: [2_000, 30 * HOUR_MS].map((ms) => ({ afterMs: afterMs + ms, isForged: false })),
    returns: [],
  };
}

/** Returns a transfer whose order is opened before the rate of VAT rises. */
function plannedTransfer(random: Random, wallet: number): PlannedAct {
  const minutes = () => random.between(3, 40) * MINUTE_MS;
  const order = { validMs: minutes(), paidAfterMs: minutes() };
  const act = { kind: 'transfer', credits: random.between(1, 12), order } as const;
  return { spell: 0, atMs: random.between(1, MONTH_END_MS - MINUTE_MS), wallet, act };
}

function spell(random: Random): Spell {
  // At least half of the times are within 14 minutes of the end of the month.
  const atMs = random.chance(0.5)
    ? random.between(MONTH_END_MS - 2 * MINUTE_MS, MONTH_END_MS + 14 * MINUTE_MS)
    : random.between(0, SPELL_MS);
  return { spell: random.chance(0.7) ? 0 : 1, atMs };
}

function closings(random: Random, wallets: number): PaymentPlan['acts'] {
  return Array.from({ length: wallets }, (_, wallet) => wallet).flatMap((wallet) =>
    ([0, 1] as const).flatMap((at) => {
      const early = MONTH_END_MS + random.between(0, 12) * MINUTE_MS;
      const acts = random.chance(0.6)
        ? [{ spell: at, atMs: early, wallet, act: { kind: 'close' } as const }]
        : [];
      const atMs = MONTH_END_MS + random.between(15, 45) * MINUTE_MS;
      const close = { spell: at, atMs, wallet, act: { kind: 'close' } as const };
      const racing = {
        spell: at,
        atMs: atMs + random.between(-1_000, 9_000),
        wallet,
        act: addedCredits(plannedBooking(random)),
        behindMs: HOUR_MS,
      };
      return [...acts, close, ...(random.chance(0.3) ? [racing] : [])];
    }),
  );
}

function plannedOrder(random: Random, wallet: number): PlannedOrder {
  const isPaid = random.chance(0.75);
  const afterMs = random.pick([5_000, 20_000, 60_000, 25 * MINUTE_MS]) + random.between(0, 20_000);
  const kind = random.next();
  const paysAfter = isPaid ? afterMs : 0;
  const webhooks = Array.from({ length: random.between(0, 3) }, () => ({
    afterMs: Math.max(1_000, paysAfter + random.between(-2_000, random.pick([500, 5_000, 30 * MINUTE_MS]))),
    isForged: random.chance(0.2),
  }));
  const returns = Array.from({ length: random.between(0, 2) }, () =>
    Math.max(1_000, paysAfter + random.between(-1_000, random.pick([1_500, 20_000]))),
  );
  return {
    ...spell(random),
    wallet,
    credits: random.between(1, 12),
    ...(isPaid && {
      pays: {
        afterMs,
        deltaKobo: kind < 0.12 ? random.pick([-1, 1, -5_000, 5_000]) : 0,
        currency: kind >= 0.12 && kind < 0.2 ? 'USD' : 'NGN',
        ...(kind > 0.93 && { reversedAfterMs: random.between(1_000, 20 * MINUTE_MS) }),
      },
    }),
    isDeclined: !isPaid && random.chance(0.5),
    webhooks,
    returns,
  };
}

const CAN_BE_LATE: readonly FinanceAct['kind'][] = [
  'transfer',
  'promotion',
  'correction',
  'resolve-reversal',
];

function plannedActOf(random: Random, wallet: number): PlannedAct {
  const act = random.chance(0.5) ? plannedBooking(random) : plannedAct(random);
  const at = spell(random);
  if (at.spell === 0 || !CAN_BE_LATE.includes(act.kind) || random.chance(0.8)) return { ...at, wallet, act };
  return { ...at, wallet, act: addedCredits(act), behindMs: 30 * DAY_MS };
}

/**
 * Makes a correction positive. A negative correction with a slow clock could not take credits that were added after its
 * time.
 */
function addedCredits(act: FinanceAct): FinanceAct {
  return act.kind === 'correction' ? { ...act, credits: Math.abs(act.credits) } : act;
}

function plannedBooking(random: Random): FinanceAct {
  const kind = random.next();
  if (kind < 0.4) return { kind: 'transfer', credits: random.between(1, 12) };
  if (kind < 0.75)
    return {
      kind: 'promotion',
      credits: random.between(1, 6),
      ...(random.chance(0.7) && { expiresAfterMs: random.between(1, 40) * MINUTE_MS }),
    };
  return { kind: 'correction', credits: random.pick([-3, -2, -1, 1, 2]) };
}

function plannedAct(random: Random): FinanceAct {
  if (random.chance(0.1)) return { kind: 'take-back', share: random.pick([0.5, 1]) };
  if (random.chance(0.1)) return { kind: 'resolve-reversal', as: random.pick(['loss', 'receivable']) };
  if (random.chance(0.85))
    return {
      kind: 'refund',
      lot: random.between(0, 2),
      share: random.pick([0.3, 0.5, 0.6, 1, 1, 1.5]),
      again: random.pick(['no', 'no', 'same', 'other']),
    };
  return { kind: 'reopen' };
}
