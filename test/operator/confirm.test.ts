import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from '../../clients/operator/confirm.ts';

function terminalWith(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  const output = new PassThrough();
  return { input, output, shown: () => String(output.read() ?? '') };
}

test.each(['y\n', 'Y\n', 'yes\n', ' yes \n'])('%j confirms', async (typed) => {
  const terminal = terminalWith(typed);
  await expect(confirm('Revoke it?', terminal)).resolves.toBeUndefined();
  expect(terminal.shown()).toContain('Revoke it? [y/N] ');
});

test.each(['\n', 'n\n', 'no\n', 'yeah no\n', ''])('%j declines', async (typed) => {
  await expect(confirm('Revoke it?', terminalWith(typed))).rejects.toThrow('Cancelled. Nothing was changed.');
});

test('without a terminal no question is asked, even if "y" is piped in', async () => {
  const pipe = terminalWith('y\n', false);
  await expect(confirm('Revoke it?', pipe)).rejects.toThrow(
    'Revoke it? Confirmation is required, but there is no terminal: pass `--yes`.',
  );
  expect(pipe.shown()).toBe('');
});

test('a long question is wrapped at the width of the terminal', async () => {
  const { input, output, shown } = terminalWith('y\n');
  await confirm('Disable Prembly? Live requests will use the next provider.', {
    input,
    output: Object.assign(output, { columns: 40 }),
  });
  expect(shown()).toContain('Disable Prembly? Live requests will use\nthe next provider. [y/N] ');
});
