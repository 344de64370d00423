import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './programs.ts';

const LOCAL = join(import.meta.dirname, '../../.local');

/**
 * Returns the `bin` folder of a Python environment with the packages of a requirements file. It is reused until the
 * file or the version of Python changes. Needs python3 with venv, and a package index for the first run.
 */
export async function pythonEnvironment(name: string, requirementsFile: string): Promise<string> {
  const version = await mustRun('python3', ['--version']);
  const digest = createHash('sha256').update(version).update(readFileSync(requirementsFile)).digest('hex');
  const directory = join(LOCAL, `${name}-${digest.slice(0, 12)}`);
  if (existsSync(directory)) return join(directory, 'bin');
  // The final name appears only when the environment is complete, in case this run is interrupted.
  const unfinished = `${directory}.${process.pid}`;
  try {
    await mustRun('python3', ['-m', 'venv', '--copies', unfinished]);
    const install = `-m pip install --quiet --disable-pip-version-check -r`.split(' ');
    await mustRun(join(unfinished, 'bin/python'), [...install, requirementsFile]);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return join(directory, 'bin');
}
