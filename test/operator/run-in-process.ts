import { run } from '../../clients/operator/program.ts';
import { captureOutput } from '../support/captured-output.ts';
import type { Run } from './run-admin.ts';

/** Runs the program in this process, where a test may replace its environment, and returns what it printed. */
export async function runInProcess(args: readonly string[]): Promise<Run> {
  const output = captureOutput();
  try {
    const code = await run(args);
    return { code, stdout: output.stdout, stderr: output.stderr };
  } finally {
    output.restore();
  }
}
