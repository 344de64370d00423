import { describe, expect, test } from '@jest/globals';
import { isComplete } from '../support/sample.ts';
import { runScript } from './run-script.ts';

/**
 * Random histories of the ledger. The output contains the seed, which `npm run prove` uses to repeat them. That command
 * also runs many more histories than these.
 */
/** From 2,000 histories, they must reach every branch of the ledger that is not rare or unreachable. */
const IN_MEMORY = isComplete ? 2_000 : 600;
const IN_DYNAMODB = isComplete ? 200 : 30;
const TIMEOUT_MS = 1_800_000;

/** Returns the number after `name` in the printed counts. */
function count(output: string, name: string): number {
  return Number(new RegExp(`${name} (\\d+)`).exec(output)?.[1] ?? 0);
}

describe('no fault violates an invariant of the ledger', () => {
  test(
    `in ${IN_MEMORY} random histories in memory`,
    async () => {
      const { code, output } = await runScript('prove.ts', ['--histories', String(IN_MEMORY)]);
      // Checked first, because its failure prints the output with the seeds.
      expect(output).toContain(' 0 with violations');
      expect(output).toContain(`in memory: ${IN_MEMORY} histories`);
      expect(code).toBe(0);
      for (const fault of ['lost', 'notApplied', 'late', 'conflict', 'throttled', 'kill', 'freeze'])
        expect([fault, count(output, fault) > IN_MEMORY / 10]).toEqual([fault, true]);
      for (const result of [
        'VERIFIED',
        'replay VERIFIED',
        'REPLAY_EXHAUSTED',
        'INSUFFICIENT_FUNDS',
        'no response',
      ])
        expect([result, count(output, result) > IN_MEMORY / 10]).toEqual([result, true]);
    },
    TIMEOUT_MS,
  );

  test(
    `in ${IN_DYNAMODB} random histories in DynamoDB Local, through the real SDK`,
    async () => {
      const { code, output } = await runScript('prove.ts', [
        '--histories',
        '0',
        '--dynamodb',
        String(IN_DYNAMODB),
      ]);
      // Checked first, because its failure prints the output with the seeds.
      expect(output).toContain(' 0 with violations');
      expect(output).toContain(`DynamoDB Local: ${IN_DYNAMODB} histories`);
      expect(code).toBe(0);
      expect(count(output, 'VERIFIED')).toBeGreaterThan(IN_DYNAMODB / 4);
      // In three runs, 80 histories had 21 to 33 late writes: one in three or four histories.
      expect(count(output, 'late')).toBeGreaterThan(IN_DYNAMODB / 16);
    },
    TIMEOUT_MS,
  );
});
