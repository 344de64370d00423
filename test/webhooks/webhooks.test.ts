import { expect, test } from '@jest/globals';
import { runScript } from '../ledger/run-script.ts';
import { isComplete } from '../support/sample.ts';
import { WEBHOOK_MUTANTS } from './mutants.ts';

/**
 * Random histories of webhooks, and the proof that they detect broken variants. The output contains the seed that
 * `npm run prove -- --deliveries` uses to repeat them.
 */
const HISTORIES = isComplete ? 500 : 100;
const TIMEOUT_MS = 1_200_000;
const SAMPLE = 2;

test(
  `no fault violates a rule for webhooks in ${HISTORIES} random histories`,
  async () => {
    const { code, output } = await runScript('prove.ts', ['--deliveries', String(HISTORIES)]);
    // Checked first, because its failure prints the output with the seeds.
    expect(output).toContain(`webhooks: ${HISTORIES} histories`);
    expect(output).toContain(' 0 with violations');
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'the histories detect each broken variant of the webhook code that is tried',
  async () => {
    const variants = isComplete ? WEBHOOK_MUTANTS.length : SAMPLE;
    const { code, output } = await runScript(
      '../webhooks/gate.ts',
      isComplete ? [] : ['--sample', String(SAMPLE)],
    );
    expect(output).toContain(`${variants} broken variants, 0 survived`);
    expect(output.match(/^caught /gm)).toHaveLength(variants);
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);
