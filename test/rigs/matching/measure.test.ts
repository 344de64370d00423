import { describe, expect, test } from '@jest/globals';
import { GOALS, HELP, ratesOf, yardstickRates } from './measure.ts';
import { HALVES, halfOf, PAIRS, readPairs } from './pairs.ts';
import { jaroWinkler, levenshtein, metaphone, mongeElkan } from './yardsticks.ts';

const pairs = readPairs(PAIRS);

describe.each(HALVES)('the match on the %s half of the labelled pairs', (half) => {
  const list = pairs.filter((pair) => halfOf(pair) === half);
  const ours = ratesOf(list);

  test('has at most 0.5% false matches, and at most 3% false non-matches', () => {
    expect(ours.falseMatches).toBeLessThanOrEqual(GOALS.falseMatches);
    expect(ours.falseNonMatches).toBeLessThanOrEqual(GOALS.falseNonMatches);
  });

  test.each(HELP)('well-known measures are worse at every threshold (%s)', (help) => {
    for (const yardstick of yardstickRates(list, ours, help)) {
      expect(yardstick.falseMatches).toBeGreaterThan(ours.falseMatches);
      expect(yardstick.falseNonMatches).toBeGreaterThan(ours.falseNonMatches);
    }
  });

  test('the measurement notices wrong labels', () => {
    const wrong = list.map((pair) => ({ ...pair, isSame: !pair.isSame }));
    expect(ratesOf(wrong).falseMatches).toBeGreaterThan(0.9);
  });
});

describe('the yardsticks return the published values', () => {
  test.each([
    ['MARTHA', 'MARHTA', 0.961],
    ['DWAYNE', 'DUANE', 0.84],
    ['DIXON', 'DICKSONX', 0.813],
  ])('Jaro-Winkler of %s and %s', (one, other, value) => {
    expect(jaroWinkler(one, other)).toBeCloseTo(value, 3);
  });

  test('Levenshtein of kitten and sitting', () => {
    expect(levenshtein('kitten', 'sitting')).toBeCloseTo(1 - 3 / 7, 5);
  });

  // The test of the R package `comparator`, which uses equality as the inner measure.
  test.each([
    ['The quick brown fox', 'The quicker browner fox', 2 / 4],
    ['The quicker fox', 'The quick brown fox', 2 / 3],
    ['University of Melbourne', 'Melbourne University', 2 / 3],
  ])('Monge-Elkan of %s and %s', (one, other, value) => {
    expect(mongeElkan(one, other, (a, b) => (a === b ? 1 : 0))).toBeCloseTo(value, 5);
  });

  // The examples of the npm package `metaphone`.
  test.each([
    ['michael', 'MXL'],
    ['crevalle', 'KRFL'],
    ['Filipowitz', 'FLPWTS'],
    ['Xavier', 'SFR'],
    ['delicious', 'TLSS'],
    ['acceptingness', 'AKSPTNKNS'],
    ['allegrettos', 'ALKRTS'],
  ])('Metaphone of %s', (word, code) => {
    expect(metaphone(word)).toBe(code);
  });
});
