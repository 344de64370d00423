import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amountInWords } from '../../../shared/payments/documents/spell-amount.ts';
import { nairaText } from '../../../shared/payments/naira.ts';

/** The number that each word stands for, repeated here so that `read` shares no table with the code. */
const NUMBERS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const POWERS: Readonly<Record<string, bigint>> = {
  thousand: 1_000n,
  million: 1_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
};

function read(words: string): bigint {
  let [kobo, sum, group, sign] = [0n, 0n, 0n, 1n];
  for (const word of words.toLowerCase().split(/[ ,-]+/)) {
    if (word === 'minus') sign = -1n;
    else if (word === 'hundred') group *= 100n;
    else if (word === 'naira' || word === 'kobo') {
      kobo += (sum + group) * (word === 'naira' ? 100n : 1n);
      [sum, group] = [0n, 0n];
    } else if (POWERS[word] !== undefined) {
      sum += group * (POWERS[word] ?? 0n);
      group = 0n;
    } else if (word !== 'and' && word !== 'only') {
      const number = NUMBERS[word];
      if (number === undefined) throw new Error(`unknown word ${word}`);
      group += BigInt(number);
    }
  }
  return sign * kobo;
}

describe('an amount in words', () => {
  test.each([
    [0, 'Zero naira only'],
    [1, 'One kobo only'],
    [100, 'One naira only'],
    [1_900, 'Nineteen naira only'],
    [4_250, 'Forty-two naira, fifty kobo only'],
    [10_100, 'One hundred and one naira only'],
    [100_500, 'One thousand and five naira only'],
    [110_000, 'One thousand, one hundred naira only'],
    [53_750_000, 'Five hundred and thirty-seven thousand, five hundred naira only'],
    [100_000_001, 'One million naira, one kobo only'],
    [100_001_200, 'One million and twelve naira only'],
    [100_100_000, 'One million, one thousand naira only'],
    [-537_500, 'Minus five thousand, three hundred and seventy-five naira only'],
    [
      1_234_567_890_123,
      'Twelve billion, three hundred and forty-five million, six hundred and seventy-eight thousand, nine hundred and one naira, twenty-three kobo only',
    ],
    [10 ** 13, 'One hundred billion naira only'],
  ])('is right for %d kobo', (kobo, words) => {
    expect(amountInWords(kobo)).toBe(words);
  });

  const amounts = fc.oneof(
    fc.integer({ min: 0, max: 200_000 }),
    fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
    fc.maxSafeInteger(),
  );

  test('is read back as the same amount, up to the largest safe integer', () => {
    fc.assert(
      fc.property(amounts, (kobo) => {
        expect(read(amountInWords(kobo))).toBe(BigInt(kobo));
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with the figures, which are also exact', () => {
    fc.assert(
      fc.property(amounts, (kobo) => {
        const figures = nairaText(kobo);
        expect(figures).toMatch(/^-?\d{1,3}(,\d{3})*\.\d\d$/);
        expect(BigInt(figures.replaceAll(/[,.]/g, ''))).toBe(read(amountInWords(kobo)));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([0.5, Number.NaN, 2 ** 53])('does not exist for %d', (kobo) => {
    expect(() => amountInWords(kobo)).toThrow('exact whole number of kobo');
  });
});
