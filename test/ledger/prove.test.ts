import { describe, expect, test } from '@jest/globals';
import { runScript } from './run-script.ts';

/** Random histories of the ledger. The output contains the seed, which `npm run prove` repeats. */
const MINUTES = 60_000;

/** Returns the number after `name` in the printed counts. */
function count(output: string, name: string): number {
  return Number(new RegExp(`${name} (\\d+)`).exec(output)?.[1] ?? 0);
}

describe('no fault violates an invariant of the ledger', () => {
  test(
    'in 10,000 random histories in memory',
    async () => {
      const { code, output } = await runScript('prove.ts', ['--histories', '10000']);
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringContaining('in memory: 10000 histories'),
      });
      expect(output).toContain(' 0 with violations');
      for (const fault of ['lost', 'notApplied', 'late', 'conflict', 'throttled', 'kill', 'freeze'])
        expect([fault, count(output, fault) > 1000]).toEqual([fault, true]);
      for (const result of [
        'VERIFIED',
        'replay VERIFIED',
        'REPLAY_EXHAUSTED',
        'INSUFFICIENT_FUNDS',
        'no response',
      ])
        expect([result, count(output, result) > 1000]).toEqual([result, true]);
    },
    5 * MINUTES,
  );

  test(
    'in 2,000 random histories in DynamoDB Local, through the real SDK',
    async () => {
      const { code, output } = await runScript('prove.ts', ['--histories', '0', '--dynamodb', '2000']);
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringContaining('DynamoDB Local: 2000 histories'),
      });
      expect(output).toContain(' 0 with violations');
      expect(count(output, 'VERIFIED')).toBeGreaterThan(500);
      expect(count(output, 'late')).toBeGreaterThan(500);
    },
    10 * MINUTES,
  );
});
