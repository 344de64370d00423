import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';

/** Writes lines with pauses between them, like `npm run restore`. Its reader exits long before the last line. */
const PROGRAM = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { ignoreClosedPipes } from './clients/operator/closed-pipe.ts';
  ignoreClosedPipes();
  for (let line = 0; line < 20; line += 1) {
    process.stdout.write('line\\n');
    process.stderr.write('line\\n');
    await pause(10);
  }
  process.exitCode = 7;
`;

test('a program whose reader stops early runs to its end and keeps its exit code', async () => {
  const command = `'${process.execPath}' --input-type=module -e "$PROGRAM" 2>&1 | true; echo "\${PIPESTATUS[@]}"`;
  const codes = await new Promise<string>((resolve) => {
    execFile('bash', ['--norc', '-c', command], { env: { PROGRAM } }, (_error, stdout) => resolve(stdout));
  });
  expect(codes).toBe('7 0\n');
});
