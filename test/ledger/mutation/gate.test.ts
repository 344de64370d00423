import { expect, test } from '@jest/globals';
import { runScript } from '../run-script.ts';

test('every broken variant of the protocol is caught', async () => {
  const { code, output } = await runScript('mutation/gate.ts', []);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/broken variants, 0 survived/) });
}, 300_000);
