import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { estimateLots } from '../../../shared/payments/lots/estimate-lots.ts';
import { consumeLots, inventedCharge, inventedLot, MONTH } from './invented-lots.ts';

const leftOf = (lots: Parameters<typeof estimateLots>[0], balance: number) =>
  estimateLots(lots, balance).map(({ left }) => left);

describe('the estimate of the credits left in the lots', () => {
  test.each([
    ['is everything if nothing was used', 30, [10, 10, 10]],
    ['follows the order of use: paid lots first, the oldest of them first', 25, [10, 5, 10]],
    ['follows the order of use: lots without a price after paid ones', 8, [8, 0, 0]],
    ['is nothing if everything was used', 0, [0, 0, 0]],
    ['is everything if a credit was added after the lots were read', 45, [10, 10, 10]],
  ])('%s', (_, balance, left) => {
    const lots = [inventedLot('A', 1, { kind: 'promotional' }), inventedLot('B', 2), inventedLot('C', 3)];
    expect(leftOf(lots, balance)).toEqual(left);
  });

  test('assumes that a promotional lot is used first if it expires before a paid one', () => {
    const expiring = { kind: 'promotional', expiresAt: '2026-12-01T00:00:00.000Z' } as const;
    const lots = [inventedLot('A', 1), inventedLot('B', 2, expiring)];
    expect(leftOf(lots, 14)).toEqual([10, 4]);
    const both = [
      inventedLot('A', 1, { expiresAt: '2026-11-30T00:00:00.000Z' }),
      inventedLot('B', 2, expiring),
    ];
    expect(leftOf(both, 14)).toEqual([4, 10]);
  });

  test('does not count withdrawals and closed months again', () => {
    const lots = [inventedLot('A', 1, { remaining: 3, consumed: { '2026-10': 7 } }), inventedLot('B', 2)];
    expect(leftOf(lots, 11)).toEqual([1, 10]);
  });

  // The closing of a month considers the times of charges. If all lots are older, its result equals the estimate.
  test('equals the result of closing the month if no lot is newer than a charge', () => {
    const lot = fc.record({
      kind: fc.constantFrom('paid', 'promotional', 'correction', 'refund'),
      credits: fc.integer({ min: 1, max: 20 }),
      expiresAt: fc.constantFrom(undefined, '2026-12-05T00:00:00.000Z', '2026-12-09T00:00:00.000Z'),
    });
    fc.assert(
      fc.property(fc.array(lot, { minLength: 1, maxLength: 8 }), fc.nat(200), (drawn, wanted) => {
        const lots = drawn.map(({ expiresAt, ...one }, index) =>
          inventedLot(`LOT${index}`, 1 + index, { ...one, ...(expiresAt && { expiresAt }) }),
        );
        const total = drawn.reduce((sum, { credits }) => sum + credits, 0);
        const used = wanted % (total + 1);
        const lines = Array.from({ length: used }, () => inventedCharge(20));
        const use = consumeLots({ month: MONTH, lots, lines, opening: 0 });
        expect(leftOf(lots, total - used)).toEqual([...use.lots.values()].map(({ closing }) => closing));
      }),
    );
  });
});
