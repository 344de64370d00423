import { describe, expect, test } from '@jest/globals';
import { type Credit, creditProblem } from '../../../shared/ledger/rows/credit.ts';

type Order = Pick<Credit, 'kind' | 'amount' | 'reference' | 'reason'>;
const order = (change: Partial<Order>): Order => ({
  kind: 'TOP_UP',
  amount: 100,
  reference: 'INV-2026:001',
  reason: 'paid by transfer',
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
    { reference: 'FT:2026_11.7-a' },
    { reason: '' },
    { reason: 'x'.repeat(200) },
  ])('%j', (change) => {
    expect(creditProblem(order(change))).toBeUndefined();
  });
});

describe('S33: a credit of …', () => {
  test.each<[Partial<Order>, RegExp]>([
    [{ amount: 0 }, /other than 0/],
    [{ amount: 1.5 }, /whole number/],
    [{ amount: Number.NaN }, /whole number/],
    [{ amount: Number.POSITIVE_INFINITY }, /whole number/],
    [{ amount: 1_000_000_001 }, /to 1,000,000,000/],
    [{ kind: 'CORRECTION', amount: -1_000_000_001 }, /to 1,000,000,000/],
    [{ amount: -5 }, /must be positive/],
    [{ reference: '' }, /reference/],
    [{ reference: 'x'.repeat(101) }, /reference/],
    // A # would form the key of another row.
    [{ reference: 'ORG#00' }, /reference/],
    [{ reference: 'two words' }, /reference/],
    // In the path of a request, dots alone would name another route.
    [{ reference: '..' }, /first must be a letter or a digit/],
    [{ reference: '-x' }, /reference/],
    [{ reference: '_x' }, /reference/],
    [{ reference: ':x' }, /reference/],
    [{ kind: 'CORRECTION', reason: '' }, /reason must have 1 to 200 characters/],
    [{ reason: 'x'.repeat(201) }, /reason/],
    [{ reason: 'paid\n2026-11-21 TOP_UP 1,000,000' }, /must not .* contain line breaks/],
    [{ reason: '\u001b[31m' }, /control characters/],
  ])('is rejected with a reason: %j', (change, reason) => {
    expect(creditProblem(order(change))).toMatch(reason);
  });
});
