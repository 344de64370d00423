import { expect, test } from '@jest/globals';
import { runScript } from '../run-script.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { MUTANTS } from './mutants.ts';

test('the checker detects every broken variant of the protocol, and no harmless one', async () => {
  const { code, output } = await runScript('mutation/gate.ts', []);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(71);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`\n${MUTANTS.length} broken variants, 0 survived`),
  });
  expect(output).toContain(`\n${EQUIVALENTS.length} harmless variants, 0 detected`);
  expect(output.match(/^caught /gm)).toHaveLength(MUTANTS.length);
}, 1_800_000);
