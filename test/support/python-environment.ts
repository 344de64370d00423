import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './programs.ts';

const LOCAL = join(import.meta.dirname, '../../.local');

/**
 * The `bin` folder of a Python environment with exactly the packages of a requirements file, made once for each
 * content of it and each Python. Needs python3 with venv, and the first time a package index.
 */
export async function pythonEnvironment(name: string, requirementsFile: string): Promise<string> {
  const version = await mustRun('python3', ['--version']);
  const digest = createHash('sha256').update(version).update(readFileSync(requirementsFile)).digest('hex');
  const directory = join(LOCAL, `${name}-${digest.slice(0, 12)}`);
  if (existsSync(directory)) return join(directory, 'bin');
  // Whatever is interrupted here must not look finished to the next run.
  const unfinished = `${directory}.${process.pid}`;
  try {
    await mustRun('python3', ['-m', 'venv', '--copies', unfinished]);
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '-r',
      requirementsFile,
    ];
    await mustRun(join(unfinished, 'bin/python'), install);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return join(directory, 'bin');
}
