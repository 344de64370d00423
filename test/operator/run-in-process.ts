import { expect } from '@jest/globals';
import type { Command } from 'commander';
import { run } from '../../clients/operator/program.ts';
import { runProgram } from '../../clients/operator/run-program.ts';
import { captureOutput } from '../support/captured-output.ts';
import type { Run } from './run-admin.ts';

interface Surroundings {
  /** All environment variables that the program sees. @default those of this process */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Runs the program, and returns its exit code. @default `admin` */
  readonly program?: (args: readonly string[]) => Promise<number>;
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
  { environment, program = run, isTerminal = false }: Surroundings = {},
): Promise<Run> {
  if (isRunning) throw new Error('Commands that run at the same time need their own processes.');
  isRunning = true;
  const inherited = process.env;
  if (environment) process.env = { ...environment };
  const output = captureOutput({ isTerminal });
  try {
    const code = await program(args);
    return { code, stdout: output.stdout, stderr: output.stderr };
  } finally {
    output.restore();
    process.env = inherited;
    isRunning = false;
  }
}

/**
 * Runs `admin --local --yes --json <args>` in this process and returns its parsed output. Fails if the command fails or
 * writes to stderr.
 */
export async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runInProcess(['--local', '--yes', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

export function exitCodeOf(program: () => Command): (args: readonly string[]) => Promise<number> {
  return async (args) => {
    const { exitCode } = process;
    process.exitCode = 0;
    try {
      await runProgram(program(), args);
      return Number(process.exitCode);
    } finally {
      process.exitCode = exitCode;
    }
  };
}
