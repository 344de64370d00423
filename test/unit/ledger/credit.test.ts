import { describe, expect, test } from '@jest/globals';
import { type Credit, creditProblem } from '../../../shared/ledger/rows/credit.ts';

type Order = Pick<Credit, 'kind' | 'amount' | 'reference'>;
const order = (change: Partial<Order>): Order => ({
  kind: 'TOP_UP',
  amount: 100,
  reference: 'INV-2026:001',
  ...change,
});

describe('a credit order is accepted', () => {
  test.each<Partial<Order>>([
    {},
    { amount: 1 },
    { amount: 1_000_000_000 },
    { kind: 'CORRECTION', amount: 5 },
    { kind: 'CORRECTION', amount: -5 },
    { reference: 'a' },
    { reference: 'x'.repeat(100) },
  ])('%j', (change) => {
    expect(creditProblem(order(change))).toBeUndefined();
  });
});

describe('a credit order is rejected with a reason', () => {
  test.each<[Partial<Order>, RegExp]>([
    [{ amount: 0 }, /other than 0/],
    [{ amount: 1.5 }, /whole number/],
    [{ amount: Number.NaN }, /whole number/],
    [{ amount: 1_000_000_001 }, /to 1,000,000,000/],
    [{ kind: 'CORRECTION', amount: -1_000_000_001 }, /to 1,000,000,000/],
    [{ amount: -5 }, /must be positive/],
    [{ reference: '' }, /reference/],
    [{ reference: 'x'.repeat(101) }, /reference/],
    // A # would form the key of another row.
    [{ reference: 'ORG#00' }, /reference/],
    [{ reference: 'two words' }, /reference/],
  ])('%j', (change, reason) => {
    expect(creditProblem(order(change))).toMatch(reason);
  });
});
