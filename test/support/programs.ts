import { type SpawnOptions, spawn } from 'node:child_process';

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** The environment variables without which programs do not start, or start slowly. */
export const BASE_ENVIRONMENT = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

export interface ProgramResult {
  readonly code: number;
  /** Standard output and standard error, in the order in which they were written. */
  readonly output: string;
}

/** Runs a program without input, and waits until it ends. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (text: unknown) => {
      output += String(text);
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program and returns its output. Throws with the output if the exit code is not 0. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${code}:\n${output}`);
  return output;
}
