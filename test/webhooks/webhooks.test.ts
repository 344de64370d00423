import { expect, test } from '@jest/globals';
import { runScript } from '../ledger/run-script.ts';
import { WEBHOOK_MUTANTS } from './mutants.ts';

/**
 * Random histories of webhooks, and the proof that they notice broken variants. The output contains the seed, which
 * `npm run prove -- --deliveries` repeats.
 */
const HISTORIES = 500;
const TIMEOUT_MS = 1_200_000;

test(
  `no fault violates a rule of webhooks in ${HISTORIES} random histories`,
  async () => {
    const { code, output } = await runScript('prove.ts', ['--deliveries', String(HISTORIES)]);
    // First, because a failure prints the output with its seeds.
    expect(output).toContain(`webhooks: ${HISTORIES} histories`);
    expect(output).toContain(' 0 with violations');
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'the histories notice every broken variant of webhooks',
  async () => {
    const { code, output } = await runScript('../webhooks/gate.ts', []);
    expect(output).toContain(`${WEBHOOK_MUTANTS.length} broken variants, 0 survived`);
    expect(output.match(/^caught /gm)).toHaveLength(WEBHOOK_MUTANTS.length);
    expect(code).toBe(0);
  },
  TIMEOUT_MS,
);
