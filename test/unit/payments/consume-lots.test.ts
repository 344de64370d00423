import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { monthAfter, monthStartMs } from '../../../shared/core/accounting-month.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import type { StatementEntry } from '../../../shared/ledger/statement/statement.ts';
import { lotAfter, lotBefore } from '../../../shared/payments/lots/consume-lots.ts';
import type { Lot } from '../../../shared/payments/lots/lot.ts';
import type { LotUse } from '../../../shared/payments/months/closing.ts';
import { consumeLots, inventedCharge, inventedCredit, inventedLot, MONTH, noonOf } from './invented-lots.ts';

/** Returns the consumed and expired credits of each lot, as `A 3, B 2 expired 1`. Untouched lots are left out. */
function usesOf(lots: readonly LotUse[]): string {
  return lots
    .filter(({ consumed, expired }) => consumed > 0 || expired > 0)
    .map(({ lot, consumed, expired }) => `${lot} ${consumed}${expired > 0 ? ` expired ${expired}` : ''}`)
    .join(', ');
}

interface Story {
  readonly name: string;
  readonly lots: readonly Lot[];
  readonly lines: readonly StatementEntry[];
  readonly uses: string;
}

const promotional = { kind: 'promotional' } as const;
const october = '2026-10-05T11:00:00.000Z';

const STORIES: readonly Story[] = [
  {
    name: 'the oldest paid lot is used first',
    lots: [inventedLot('B', 2), inventedLot('A', 1)],
    lines: [inventedCharge(3, 12)],
    uses: 'A 10, B 2',
  },
  {
    name: 'an older free lot waits until the paid lots are used',
    lots: [inventedLot('A', 1, promotional), inventedLot('B', 2)],
    lines: [inventedCharge(3, 4), inventedCharge(4, 8)],
    uses: 'A 2, B 10',
  },
  {
    name: 'a free lot that expires is used before paid lots that do not',
    lots: [inventedLot('A', 1), inventedLot('B', 2, { ...promotional, expiresAt: noonOf(28) })],
    lines: [inventedCharge(3, 4)],
    uses: 'B 4',
  },
  {
    name: 'a free lot that expires after the paid lot waits for it',
    lots: [
      inventedLot('A', 1, { expiresAt: noonOf(20) }),
      inventedLot('B', 2, { ...promotional, expiresAt: noonOf(28) }),
    ],
    lines: [inventedCharge(3, 11)],
    uses: 'A 10, B 1',
  },
  {
    name: 'credits given back and corrections wait like free ones',
    lots: [
      inventedLot('A', 1, { kind: 'refund' }),
      inventedLot('B', 1, { kind: 'correction' }),
      inventedLot('C', 2),
    ],
    lines: [inventedCharge(3, 25)],
    uses: 'A 10, B 5, C 10',
  },
  {
    name: 'what was taken back in a later month is not used, although its lot would come first',
    lots: [
      inventedLot('A', 1),
      inventedLot('B', 2, {
        ...promotional,
        expiresAt: noonOf(28),
        withdrawals: [{ kind: 'expired', credits: 8, month: monthAfter(MONTH), reference: 'expiry:B' }],
      }),
    ],
    lines: [inventedCharge(3, 4)],
    uses: 'A 2, B 2',
  },
  {
    name: 'a charge before the paid lot existed uses the free one',
    lots: [inventedLot('A', 1, promotional), inventedLot('B', 5)],
    lines: [inventedCharge(3, 4), inventedCharge(6, 4)],
    uses: 'A 4, B 4',
  },
  {
    name: 'a charge whose clock was behind uses a lot that is younger',
    lots: [inventedLot('A', 5)],
    lines: [inventedCharge(4, 2)],
    uses: 'A 2',
  },
  {
    name: 'a charge whose clock was behind uses a lot of the next month',
    lots: [inventedLot('A', '2026-11-30T23:00:00.000Z')],
    lines: [inventedCharge('2026-11-30T22:59:59.999Z', 2)],
    uses: 'A 2',
  },
  {
    name: 'what earlier months used is gone',
    lots: [inventedLot('A', october, { consumed: { '2026-10': 7 } }), inventedLot('B', 1)],
    lines: [inventedCharge(2, 4)],
    uses: 'A 3, B 1',
  },
  {
    name: 'what this month and later ones used when they were closed before is ignored',
    lots: [inventedLot('A', october, { consumed: { '2026-11': 7, '2026-12': 3 } }), inventedLot('B', 1)],
    lines: [inventedCharge(2, 11)],
    uses: 'A 10, B 1',
  },
  {
    name: 'what was refunded in the month is not available to earlier charges either',
    lots: [
      inventedLot('A', 1, { withdrawals: [{ kind: 'refunded', credits: 6, month: MONTH, reference: 'r' }] }),
      inventedLot('B', 2),
    ],
    lines: [inventedCharge(3, 4), inventedCredit(4, 'r', -6, { cause: 'refund' }), inventedCharge(5, 1)],
    uses: 'A 4, B 1',
  },
  {
    name: 'what was refunded in a later month is still available',
    lots: [
      inventedLot('A', 1, {
        withdrawals: [{ kind: 'refunded', credits: 6, month: '2026-12', reference: 'r' }],
      }),
    ],
    lines: [inventedCharge(3, 4)],
    uses: 'A 4',
  },
  {
    name: 'a correction takes from the youngest free lot first',
    lots: [inventedLot('A', 1), inventedLot('B', 2, promotional), inventedLot('C', 3, promotional)],
    lines: [inventedCredit(4, 'c', -14)],
    uses: 'B 0 expired 4, C 0 expired 10',
  },
  {
    name: 'a correction takes from paid lots when no free credits are left',
    lots: [inventedLot('A', 1), inventedLot('B', 2, promotional)],
    lines: [inventedCharge(3, 1), inventedCredit(4, 'c', -13)],
    uses: 'A 1 expired 3, B 0 expired 10',
  },
  {
    name: 'a correction before a charge takes first',
    lots: [inventedLot('A', 1, promotional), inventedLot('B', 1)],
    lines: [inventedCredit(2, 'c', -9), inventedCharge(3, 11)],
    uses: 'A 1 expired 9, B 10',
  },
];

describe('the use of lots in a month:', () => {
  test.each(STORIES)('$name', ({ lots, lines, uses }) => {
    const use = consumeLots({ month: MONTH, lots, lines, opening: 0 });
    const { uncovered } = use;
    expect(usesOf([...use.lots.values()])).toBe(uses);
    expect(uncovered).toBe(0);
  });

  test('charged credits that no lot covers are counted', () => {
    const lines = [inventedCharge(2, 13)];
    expect(consumeLots({ month: MONTH, lots: [inventedLot('A', 1)], lines, opening: 0 }).uncovered).toBe(3);
  });

  test("the figures add up the lines by service, with each credit at its lot's price", () => {
    const lots = [
      inventedLot('A', 1, { credits: 2, koboPerCredit: 150 }),
      inventedLot('B', 2),
      inventedLot('C', 3, promotional),
    ];
    const lines = [
      inventedCredit(1, 'credit-A', 2),
      inventedCredit(2, 'credit-B', 10),
      inventedCredit(3, 'credit-C', 10),
      inventedCharge(4, 3, 'nin-premium'),
      inventedCharge(5, 1, 'nin-basic'),
      inventedCharge(6, 1, 'nin-basic'),
      inventedCredit(7, 'c', -1, { reason: 'twice' }),
    ];
    const { figures } = consumeLots({ month: MONTH, lots, lines, opening: 0 });
    expect(figures).toMatchObject({
      credits: { opening: 0, toppedUp: 22, corrected: -1, charged: 5, closing: 16 },
      value: { paidKobo: 1300, earnedKobo: 600, refundedKobo: 0, expiredKobo: 0, deferredKobo: 700 },
      services: [
        { service: 'nin-basic', requests: 2, credits: 2, earnedKobo: 200 },
        { service: 'nin-premium', requests: 1, credits: 3, earnedKobo: 400 },
      ],
      lines: 7,
    });
  });

  test('the hash changes with the amount, the time and the service of a line', () => {
    const hashOf = (line: StatementEntry) =>
      consumeLots({ month: MONTH, lots: [inventedLot('A', 1)], lines: [line], opening: 0 }).figures
        .linesSha256;
    const hashes = [
      inventedCharge(3, 1),
      inventedCharge(3, 2),
      inventedCharge(4, 1),
      inventedCharge(3, 1, 'bvn-basic'),
    ];
    expect(new Set(hashes.map(hashOf)).size).toBe(4);
    expect(hashOf(inventedCharge(3, 1))).toBe(hashOf(inventedCharge(3, 1)));
  });
});

describe('a closing that is undone', () => {
  test('leaves the lot as it was before', () => {
    const lot = inventedLot('A', october, {
      consumed: { '2026-10': 2 },
      withdrawals: [{ kind: 'refunded', credits: 1, month: MONTH, reference: 'r' }],
      remaining: 7,
    });
    const lines = [inventedCharge(3, 2), inventedCredit(4, 'c', -3)];
    const use = consumeLots({ month: MONTH, lots: [lot], lines, opening: 8 });
    const after = lotAfter(lot, MONTH, use);
    expect(after).toMatchObject({ consumed: { '2026-10': 2, [MONTH]: 2 }, remaining: 2 });
    expect(after.withdrawals).toContainEqual({ kind: 'removed', credits: 3, month: MONTH, reference: 'c' });
    expect(lotBefore(after, MONTH)).toEqual(lot);
  });
});

// Random histories of a wallet. Months are closed in order.

type Act =
  | { readonly kind: 'buy'; readonly credits: number; readonly kobo: number }
  | { readonly kind: 'free'; readonly credits: number; readonly expiresInDays: number }
  | { readonly kind: 'charge'; readonly credits: number }
  | { readonly kind: 'remove'; readonly credits: number }
  | {
      readonly kind: 'withdraw';
      readonly credits: number;
      readonly lot: number;
      readonly cause: 'refund' | 'expiry';
    };

const credits = fc.integer({ min: 1, max: 9 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('buy' as const),
    credits: fc.integer({ min: 1, max: 40 }),
    kobo: fc.integer({ min: 1, max: 99_999 }),
  }),
  fc.record({ kind: fc.constant('free' as const), credits, expiresInDays: fc.integer({ min: 0, max: 90 }) }),
  fc.record({ kind: fc.constant('charge' as const), credits }),
  fc.record({ kind: fc.constant('charge' as const), credits }),
  fc.record({ kind: fc.constant('remove' as const), credits }),
  fc.record({
    kind: fc.constant('withdraw' as const),
    credits,
    lot: fc.nat(5),
    cause: fc.constantFrom('refund' as const, 'expiry' as const),
  }),
);
const months = fc.array(fc.array(act, { maxLength: 25 }), { minLength: 12, maxLength: 12 });

const STEP_MS = HOUR_MS;

/** A wallet whose actions create lines and lots, closed month by month. */
class InventedWallet {
  lots: Lot[] = [];
  balance = 0;

  /** Returns the lines of a month's actions, except those for which the wallet or the lot has too few credits. */
  linesOf(month: string, acts: readonly Act[]): StatementEntry[] {
    const lines: StatementEntry[] = [];
    acts.forEach((one, index) => {
      const at = new Date(monthStartMs(month) + (index + 1) * STEP_MS).toISOString();
      const line = this.#apply(one, at, month, lines);
      if (!line) return;
      lines.push(line);
      this.balance += line.amount;
    });
    return lines;
  }

  #apply(
    one: Act,
    at: string,
    month: string,
    earlier: readonly StatementEntry[],
  ): StatementEntry | undefined {
    if (one.kind === 'buy') return this.#add(at, { credits: one.credits, koboPerCredit: one.kobo });
    if (one.kind === 'free') {
      const expiresAt = new Date(Date.parse(at) + one.expiresInDays * 24 * STEP_MS).toISOString();
      return this.#add(at, {
        kind: 'promotional',
        credits: one.credits,
        ...(one.expiresInDays > 0 && { expiresAt }),
      });
    }
    if (one.credits > this.balance) return undefined;
    if (one.kind === 'charge') return inventedCharge(at, one.credits);
    if (one.kind === 'remove') return inventedCredit(at, `remove ${at}`, -one.credits);
    return this.#withdraw(one, at, month, earlier);
  }

  #add(at: string, changes: Partial<Lot>): StatementEntry {
    const lot = inventedLot(`LOT ${at}`, at, changes);
    this.lots.push(lot);
    return inventedCredit(at, lot.reference, lot.credits);
  }

  /** Takes back unspent credits of a lot, as a refund or an expiry does. */
  #withdraw(
    one: Extract<Act, { kind: 'withdraw' }>,
    at: string,
    month: string,
    lines: readonly StatementEntry[],
  ) {
    const lot = this.lots[one.lot];
    if (!lot) return undefined;
    const use = consumeLots({ month, lots: this.lots, lines, opening: 0 });
    if (lotAfter(lot, month, use).remaining < one.credits) return undefined;
    const reference = `withdraw ${at}`;
    const kind = one.cause === 'refund' ? 'refunded' : 'expired';
    const withdrawals = [...lot.withdrawals, { kind, credits: one.credits, month, reference } as const];
    this.lots[one.lot] = { ...lot, withdrawals, remaining: lot.remaining - one.credits };
    return inventedCredit(at, reference, -one.credits, { cause: one.cause });
  }
}

describe('twelve months of random histories', () => {
  test('keep paid = earned + deferred + refunded + expired, exactly in kobo and in credits', () => {
    fc.assert(
      fc.property(months, (year) => {
        const wallet = new InventedWallet();
        const sums = { paid: 0, gone: 0 };
        let month = '2026-01';
        for (const acts of year) {
          const opening = wallet.balance;
          const lines = wallet.linesOf(month, acts);
          const use = consumeLots({ month, lots: wallet.lots, lines, opening });
          const { value, credits: sum } = use.figures;
          const lots = [...use.lots.values()];
          expect(use.uncovered).toBe(0);
          // Credits: the month adds up, and the lots add up to exactly the balance.
          expect(sum.opening + sum.toppedUp + sum.corrected - sum.charged).toBe(sum.closing);
          expect(sum.closing).toBe(wallet.balance);
          expect(lots.reduce((total, { closing }) => total + closing, 0)).toBe(wallet.balance);
          expect(lots.every(({ closing }) => closing >= 0)).toBe(true);
          expect(lots.reduce((total, { consumed }) => total + consumed, 0)).toBe(sum.charged);
          // Kobo: everything paid until now is accounted for.
          sums.paid += value.paidKobo;
          sums.gone += value.earnedKobo + value.refundedKobo + value.expiredKobo;
          expect(sums.paid).toBe(sums.gone + value.deferredKobo);
          const bought = wallet.lots.reduce((total, { netKobo }) => total + netKobo, 0);
          expect(sums.paid).toBe(bought);
          // The closing is written into the lots. Computed again from the lots, it is the same.
          wallet.lots = wallet.lots.map((lot) => lotAfter(lot, month, use));
          const shuffled = wallet.lots.toReversed();
          expect(consumeLots({ month, lots: shuffled, lines, opening }).figures).toEqual(use.figures);
          expect(wallet.lots.reduce((total, { remaining }) => total + remaining, 0)).toBe(wallet.balance);
          month = monthAfter(month);
        }
      }),
      { numRuns: 50 },
    );
  });
});
