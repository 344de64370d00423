import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StatementEntry } from '../../../shared/ledger/statement/statement.ts';
import { usedBefore, valueLines } from '../../../shared/payments/lots/line-value.ts';
import type { Lot } from '../../../shared/payments/lots/lot.ts';
import { consumeLots, inventedCharge, inventedCredit, inventedLot, MONTH } from './invented-lots.ts';

/** The naira beside the lines of a statement. */

type Values = ReturnType<typeof valueLines>['values'];

/** Reads the month in pages, as the console does. */
function valuesOf(lines: readonly StatementEntry[], lots: readonly Lot[], opening = 0, page = 50): Values {
  let used = usedBefore(MONTH, lots, opening);
  const all: Values[number][] = [];
  for (let from = 0; from < lines.length; from += page) {
    const valued = valueLines(lines.slice(from, from + page), MONTH, lots, used);
    all.push(...valued.values);
    ({ used } = valued);
  }
  return all;
}

const netsOf = (...input: Parameters<typeof valuesOf>) =>
  valuesOf(...input).map((value) => value && [value.netKobo, value.vatKobo]);

test('a top-up states what was paid, and a charge the price of the lots that it used', () => {
  const lots = [
    inventedLot('A', 1, { credits: 10, koboPerCredit: 5_000, vatKobo: 3_750 }),
    inventedLot('B', 3, { credits: 10, koboPerCredit: 6_000, vatKobo: 6_000 }),
  ];
  const lines = [
    inventedCredit(1, 'credit-A', 10),
    inventedCharge(2, 8),
    inventedCredit(3, 'credit-B', 10),
    // Two of A and one of B.
    inventedCharge(4, 3),
  ];
  expect(netsOf(lines, lots)).toEqual([
    [50_000, 3_750],
    [40_000, 3_000],
    [60_000, 6_000],
    [16_000, 1_350],
  ]);
});

test('free credits are worth nothing, and corrections and credits without a lot have no value', () => {
  const free = inventedLot('A', 1, { kind: 'promotional' });
  const lines = [
    inventedCredit(1, 'credit-A', 10),
    inventedCharge(2),
    inventedCredit(3, 'correction', -2),
    inventedCredit(4, 'other', 100),
    inventedCharge(5, 8),
  ];
  expect(netsOf(lines, [free])).toEqual([[0, 0], [0, 0], undefined, undefined, undefined]);
});

test('a closed month shows the same as before it was closed', () => {
  const lot = inventedLot('A', 1, { credits: 7, vatKobo: 53 });
  const lines = [inventedCharge(2), inventedCharge(3, 4)];
  const closed = { ...lot, consumed: { [MONTH]: 5, '2026-12': 2 }, remaining: 0 };
  expect(netsOf(lines, [closed])).toEqual(netsOf(lines, [lot]));
});

test('a promotional lot does not pay for charges before it, even if it is used before the paid one', () => {
  const lots = [
    inventedLot('A', 1, { credits: 100, koboPerCredit: 5_000 }),
    inventedLot('B', 10, { kind: 'promotional', credits: 60, expiresAt: '2026-12-01T00:00:00.000Z' }),
  ];
  const lines = [inventedCharge(5, 50), inventedCharge(12, 60)];
  for (const page of [1, 2])
    expect(netsOf(lines, lots, 0, page)).toEqual([
      [250_000, 0],
      [0, 0],
    ]);
});

test('charges have no value if an earlier month is open and the balance does not say which lots it used', () => {
  const paid = inventedLot('A', '2026-10-03T11:00:00.000Z', { credits: 10 });
  const free = inventedLot('B', '2026-10-02T11:00:00.000Z', { kind: 'promotional', credits: 10 });
  const lines = [inventedCharge(2, 10)];
  expect(netsOf(lines, [free, paid], 15)).toEqual([undefined]);
  expect(netsOf(lines, [free, paid], 20)).toEqual([[1_000, 0]]);
  expect(netsOf(lines, [paid], 10)).toEqual([[1_000, 0]]);
});

test('the lines of a month add up to its figures, on pages of any length', () => {
  const day = fc.integer({ min: 1, max: 28 });
  const lot = fc.record({
    day,
    kind: fc.constantFrom('paid', 'promotional', 'correction'),
    credits: fc.integer({ min: 1, max: 20 }),
    netKobo: fc.integer({ min: 0, max: 99_999 }),
    expiresAt: fc.constantFrom('2026-12-05T00:00:00.000Z', '2026-12-09T00:00:00.000Z', '9999'),
  });
  const taken = fc.record({ day, credits: fc.integer({ min: 1, max: 9 }), isCharge: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(lot, { minLength: 1, maxLength: 6 }),
      fc.array(taken, { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      (drawn, takings, page) => {
        const byDay = drawn.toSorted((a, b) => a.day - b.day);
        const last = inventedLot('LAST', 1, { kind: 'promotional', credits: 999 });
        const others = byDay.map(({ day: at, netKobo, ...one }, index) =>
          inventedLot(`LOT${index}`, at, { ...one, netKobo: one.kind === 'paid' ? netKobo : 0 }),
        );
        const lots = [last, ...others];
        const lines = takings
          .toSorted((a, b) => a.day - b.day)
          .map(({ day: at, credits, isCharge }, index) =>
            isCharge ? inventedCharge(at, credits) : inventedCredit(at, `correction-${index}`, -credits),
          );
        const { earnedKobo } = consumeLots({ month: MONTH, lots, lines, opening: 0 }).figures.value;
        const values = valuesOf(lines, lots, 0, page);
        expect(values.reduce((sum, value) => sum + (value?.netKobo ?? 0), 0)).toBe(earnedKobo);
      },
    ),
  );
});
