import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outsideJest } from './outside-jest.ts';

/** The directory for results that the test files of a run share. A test file that runs alone has its own. */
export const RUN_DIRECTORY = process.env['RUN_DIRECTORY'] ?? ownDirectory();

function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-file-'));
  // The sandbox has its own `process`, which emits no event when the worker ends.
  outsideJest<NodeJS.Process>('node:process').once('exit', () =>
    rmSync(directory, { recursive: true, force: true }),
  );
  return directory;
}
