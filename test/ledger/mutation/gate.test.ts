import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isComplete } from '../../support/sample.ts';
import { runScript } from '../run-script.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { MUTANTS } from './mutants.ts';

const SAMPLE = 5;
const TIMEOUT_MS = 1_800_000;

test('every patch of a variant matches the source once', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(71);
  for (const { name, patches } of [...MUTANTS, ...EQUIVALENTS.map(({ mutant }) => mutant)])
    for (const { file, find } of patches)
      expect([name, readFileSync(file, 'utf8').split(find).length - 1]).toEqual([name, 1]);
});

test(
  'the checker detects each broken variant of the protocol that is tried, and no harmless one',
  async () => {
    const { code, output } = await runScript(
      'mutation/gate.ts',
      isComplete ? [] : ['--sample', String(SAMPLE)],
    );
    const variants = isComplete ? MUTANTS.length : SAMPLE;
    const harmless = isComplete ? EQUIVALENTS.length : 0;
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(`\n${variants} broken variants, 0 survived`),
    });
    expect(output).toContain(`\n${harmless} harmless variants, 0 detected`);
    expect(output.match(/^caught /gm)).toHaveLength(variants);
  },
  TIMEOUT_MS,
);
