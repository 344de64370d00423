import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outsideJest } from './outside-jest.ts';

/** The directory for what test files compute once for all files of a run. Alone, a test file has its own. */
export const RUN_DIRECTORY = process.env['RUN_DIRECTORY'] ?? ownDirectory();

function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-file-'));
  // The process of the sandbox has no event when the worker ends.
  outsideJest<NodeJS.Process>('node:process').once('exit', () =>
    rmSync(directory, { recursive: true, force: true }),
  );
  return directory;
}
