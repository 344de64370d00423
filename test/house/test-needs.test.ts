import { globSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { needOf, suiteOf } from '../needs.ts';

describe('a test run starts only what the tests need', () => {
  test.each(globSync('test/unit/**/*.test.ts'))('%s needs neither Java nor a service', (file) => {
    expect(needOf(file)).toBe('nothing');
  });

  test.each([
    ['test/api/charging.test.ts', 'service'],
    ['test/tables/state-table.test.ts', 'tables'],
    ['test/security/supply-chain.test.ts', 'nothing'],
  ])('%s needs: %s', (file, need) => {
    expect(needOf(file)).toBe(need);
  });
});

test('suites are the directories of test and of test/rigs', () => {
  expect(suiteOf('test/api/charging.test.ts')).toBe('test/api');
  expect(suiteOf('test/rigs/fuzz/schemathesis/fuzz.test.ts')).toBe('test/rigs/fuzz');
});
