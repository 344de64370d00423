import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from '../../clients/operator/confirm.ts';

function terminal(answer: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(answer);
  const output = new PassThrough();
  return { input, output, shown: () => String(output.read() ?? '') };
}

test.each(['y\n', 'Y\n', 'yes\n', ' yes \n'])('%j is a yes', async (answer) => {
  const deployment = terminal(answer);
  await expect(confirm('Revoke it?', deployment)).resolves.toBeUndefined();
  expect(deployment.shown()).toContain('Revoke it? [y/N] ');
});

test.each(['\n', 'n\n', 'no\n', 'yeah no\n', ''])('%j is a no, and nothing was changed', async (answer) => {
  await expect(confirm('Revoke it?', terminal(answer))).rejects.toThrow('Nothing was changed.');
});

test('without a terminal nobody is asked, even where a yes waits in the pipe', async () => {
  const pipe = terminal('y\n', false);
  await expect(confirm('Revoke it?', pipe)).rejects.toThrow(
    'Revoke it? Say --yes: there is no terminal to ask.',
  );
  expect(pipe.shown()).toBe('');
});
