import { expect, test } from '@jest/globals';
import { runScript } from '../ledger/run-script.ts';
import { isComplete } from '../support/sample.ts';
import { PAYMENT_MUTANTS } from './mutants.ts';

/**
 * Random histories of payments, refunds and closed months, and the proof that they detect broken variants. The output
 * contains the seed, which `npm run prove -- --payments N --seed S` uses to repeat histories.
 */
const HISTORIES = isComplete ? 750 : 120;
const TIMEOUT_MS = 1_200_000;
const SAMPLE = 2;

test(
  `no fault violates a rule for payments in ${HISTORIES} random histories`,
  async () => {
    const { code, output } = await runScript('prove.ts', ['--payments', String(HISTORIES)]);
    // Checked first, because its failure prints the output with the seeds.
    expect(output).toContain(`payments: ${HISTORIES} histories`);
    expect(output).toContain(' 0 with violations');
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'a seed repeats its histories in another thread',
  async () => {
    const countsIn = async (workers: number) => {
      const args = `--payments 8 --seed 7 --workers ${workers}`;
      const { output } = await runScript('prove.ts', args.split(' '));
      return /faults: .*/.exec(output)?.[0];
    };
    const counts = await countsIn(1);
    expect(counts).toMatch(/ conflict [1-9]/);
    expect(await countsIn(2)).toBe(counts);
  },
  TIMEOUT_MS,
);

test(
  'the histories detect each broken variant of the payment code that is tried',
  async () => {
    const variants = isComplete ? PAYMENT_MUTANTS.length : SAMPLE;
    const { code, output } = await runScript(
      '../payments/gate.ts',
      isComplete ? [] : ['--sample', String(SAMPLE)],
    );
    expect(output).toContain(`${variants} broken variants, 0 survived`);
    expect(output.match(/^caught /gm)).toHaveLength(variants);
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);
