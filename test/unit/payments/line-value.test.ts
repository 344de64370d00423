import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StatementLine } from '../../../shared/ledger/statement/read-statement.ts';
import { valueLines } from '../../../shared/payments/lots/line-value.ts';
import { inventedLot, MONTH, noonOf } from './invented-lots.ts';

/** The naira beside the lines of a statement. */

function charge(at: string, amount: number, balanceAfter: number): StatementLine {
  return {
    ...credit(at, amount, balanceAfter),
    debit: { service: 'nin-basic', requestId: 'req', keyLabel: '' },
  } as StatementLine;
}

const credit = (at: string, amount: number, balanceAfter: number, id = at): StatementLine =>
  ({ sort: at, createdAt: at, id, amount, balanceAfter }) as StatementLine;

const netsOf = (...input: Parameters<typeof valueLines>) =>
  valueLines(...input).map((value) => value && [value.netKobo, value.vatKobo]);

test('a top-up states what was paid, and a charge the price of the lots that it used', () => {
  const lots = [
    inventedLot('A', 1, { credits: 10, koboPerCredit: 5_000, vatKobo: 3_750 }),
    inventedLot('B', 3, { credits: 10, koboPerCredit: 6_000, vatKobo: 6_000 }),
  ];
  const lines = [
    credit(noonOf(1), 10, 10, 'credit-A'),
    charge(noonOf(2), -8, 2),
    credit(noonOf(3), 10, 12, 'credit-B'),
    // Two of A and one of B.
    charge(noonOf(4), -3, 9),
  ];
  expect(netsOf(lines, MONTH, lots)).toEqual([
    [50_000, 3_750],
    [40_000, 3_000],
    [60_000, 6_000],
    [16_000, 1_350],
  ]);
});

test('free credits are worth nothing, and corrections and credits without a lot have no value', () => {
  const free = inventedLot('A', 1, { kind: 'promotional' });
  const lines = [
    credit(noonOf(1), 10, 10, 'credit-A'),
    charge(noonOf(2), -1, 9),
    credit(noonOf(3), -2, 7),
    credit(noonOf(4), 100, 107),
    charge(noonOf(5), -1, 106),
  ];
  expect(netsOf(lines, MONTH, [free])).toEqual([[0, 0], [0, 0], undefined, undefined, undefined]);
});

test('a closed month shows the same as before it was closed', () => {
  const lot = inventedLot('A', 1, { credits: 7, vatKobo: 53 });
  const lines = [charge(noonOf(2), -1, 6), charge(noonOf(3), -4, 2)];
  const closed = { ...lot, consumed: { [MONTH]: 5, '2026-12': 2 }, remaining: 0 };
  expect(netsOf(lines, MONTH, [closed])).toEqual(netsOf(lines, MONTH, [lot]));
});

test('the charges of a lot add up to what was paid for it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 99_999 }),
      (amounts, netKobo) => {
        const credits = amounts.reduce((sum, amount) => sum + amount, 0);
        const vatKobo = Math.round(netKobo * 0.075);
        const lot = inventedLot('A', 1, { credits, netKobo, vatKobo });
        let balance = credits;
        const lines = amounts.map((amount) => {
          balance -= amount;
          return charge(noonOf(2), -amount, balance);
        });
        const values = valueLines(lines, MONTH, [lot]);
        expect(values.reduce((sum, value) => sum + (value?.netKobo ?? 0), 0)).toBe(netKobo);
        expect(values.reduce((sum, value) => sum + (value?.vatKobo ?? 0), 0)).toBe(vatKobo);
      },
    ),
  );
});
