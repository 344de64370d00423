import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUN_CHECKER = fileURLToPath(new URL('run_checker.py', import.meta.url));

export interface Checked {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a checker, which is a Python program, in one process for all folders. Returns the results in the same order. */
export function runChecker(checker: string, folders: readonly string[]): readonly Checked[] {
  const options = { encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } } as const;
  return JSON.parse(execFileSync('python3', [RUN_CHECKER, checker, ...folders], options)) as Checked[];
}

/** Plants each mistake in a copy of the folder, and checks the copy. Returns the results by name of mistake. */
export function checkMistakes(
  checker: string,
  folder: string,
  mistakes: Readonly<Record<string, (copy: string) => void>>,
): ReadonlyMap<string, Checked | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    const copies = Object.entries(mistakes).map(([name, plant], index) => {
      const copy = join(directory, String(index));
      mkdirSync(copy);
      cpSync(folder, copy, { recursive: true });
      plant(copy);
      return { name, copy };
    });
    const results = runChecker(
      checker,
      copies.map(({ copy }) => copy),
    );
    return new Map(copies.map(({ name }, index) => [name, results[index]]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
