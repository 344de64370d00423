import { jest } from '@jest/globals';
import { run } from '../../clients/operator/program.ts';
import type { Run } from './run-admin.ts';

/** Runs the program in this process, where a test may replace its environment, and returns what it printed. */
export async function runInProcess(args: readonly string[]): Promise<Run> {
  let [stdout, stderr] = ['', ''];
  const out = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const err = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
  try {
    const code = await run(args);
    return { code, stdout, stderr };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
