import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RUN_DIRECTORY } from './run-directory.ts';

/**
 * Calls `make` with a new directory once for all test files of a run, and returns the directory when it is complete.
 * Test files must not change what is in it.
 */
export async function onceInRun(
  name: string,
  make: (directory: string) => void | Promise<void>,
): Promise<string> {
  const directory = join(RUN_DIRECTORY, name);
  const [lock, finished] = [`${directory}.lock`, `${directory}.finished`];
  while (!existsSync(finished)) {
    if (!hasMade(lock)) {
      // Another worker makes it. Waiting leaves the processor to that worker.
      await setTimeout(200);
      continue;
    }
    try {
      await make(directory);
      writeFileSync(finished, '');
    } catch (error) {
      rmdirSync(lock);
      throw error;
    }
  }
  return directory;
}

function hasMade(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
}
