import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { kindTable } from './kind-table.ts';
import {
  errorsByKind,
  errorsOf,
  GOALS,
  HELP,
  ratesOf,
  UNSEEN_GOALS,
  wilson,
  yardstickRates,
} from './measure.ts';
import { FROZEN, HALVES, halfOf, inView, PAIRS, readPairs, VIEWS } from './pairs.ts';
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

describe.each(FROZEN.map((file) => [basename(file), readPairs(file)] as const))(
  'the match on %s',
  (_, frozen) => {
    test.each(VIEWS)('%s: the upper bounds of the rates meet the goals', (view) => {
      const list = inView(frozen, view);
      for (const [isSame, fewest, goal] of [
        [false, 1_900, UNSEEN_GOALS[view].falseMatches],
        [true, 1_400, UNSEEN_GOALS[view].falseNonMatches],
      ] as const) {
        const errors = errorsOf(list, isSame);
        expect(errors.pairs).toBeGreaterThan(fewest);
        expect(wilson(errors)[1]).toBeLessThanOrEqual(goal);
      }
    });

    test('every pair has a kind', () => {
      expect(errorsByKind(frozen).map(({ kind }) => kind)).not.toContain('');
    });
  },
);

// The 17 of 301 had an interval of 3.6% to 8.9%.
test.each([
  [0, 10, 0, 0.2775],
  [1, 10, 0.0179, 0.4042],
  [17, 301, 0.0356, 0.0886],
])('Wilson: %i of %i', (wrong, total, lower, upper) => {
  const interval = wilson({ wrong, pairs: total });
  expect(interval[0]).toBeCloseTo(lower, 4);
  expect(interval[1]).toBeCloseTo(upper, 4);
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

/** `UPDATE=1` writes the table. */
test('the page on matching has the errors of the second frozen set by kind', () => {
  const file = 'docs/design/matching.md';
  const page = readFileSync(file, 'utf8');
  const current = page.replace(
    /(<!-- kinds: begin -->\n)[\s\S]*(<!-- kinds: end -->)/,
    (_, begin, end) => `${begin}${kindTable(readPairs(FROZEN[1] ?? ''), true)}${end}`,
  );
  if (process.env['UPDATE']) writeFileSync(file, current);
  else expect(page).toBe(current);
});
