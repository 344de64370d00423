import { run } from '../../clients/operator/program.ts';
import { captureOutput } from '../support/captured-output.ts';
import type { Run } from './run-admin.ts';

interface Surroundings {
  /** All environment variables that the program sees. @default those of this process */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal, in which the program shows its progress. */
  readonly isTerminal?: boolean;
}

let isRunning = false;

/**
 * Runs the program in this process, and returns what it printed. Throws if another command is running in this process,
 * because both would write to the same output.
 */
export async function runInProcess(
  args: readonly string[],
  { environment, isTerminal = false }: Surroundings = {},
): Promise<Run> {
  if (isRunning) throw new Error('Commands that run at the same time need their own processes.');
  isRunning = true;
  const inherited = process.env;
  if (environment) process.env = { ...environment };
  const output = captureOutput({ isTerminal });
  try {
    const code = await run(args);
    return { code, stdout: output.stdout, stderr: output.stderr };
  } finally {
    output.restore();
    process.env = inherited;
    isRunning = false;
  }
}
