import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { needOf } from '../needs.ts';
import { MUTANTS, mutate } from '../rigs/mutants/mutants.ts';
import { ROOT } from './project.ts';

/** The list of mutants matches the code, so that `npm run rig -- mutants` can run each. */

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('there are at least 200 mutants, all different', () => {
  const texts = MUTANTS.map(({ file, find, replace }) => [file, find, replace].join('\n'));
  expect(new Set(texts).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(200);
});

test('each mutant changes a text that occurs once in its file', () => {
  for (const mutant of MUTANTS) {
    const text = read(mutant.file);
    expect(mutate(text, mutant)).not.toBe(text);
  }
});

describe('each mutant is killed by a file that `npm test` runs as a whole, without the service:', () => {
  test.each([...new Set(MUTANTS.map(({ killedBy }) => killedBy))])('%s', (file) => {
    // Of the rigs, some tests run only in `npm run test:long`.
    expect(file).toMatch(/^test\/(?!rigs\/).+\.test\.ts$/);
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(needOf(file)).not.toBe('service');
    expect(read(file)).not.toContain('support/sample.ts');
  });
});
