import { type SpawnOptions, spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** Both streams together, in the order in which they were written. */
  readonly words: string;
}

/** Runs a program to its end, without input. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let words = '';
    const hear = (text: unknown) => {
      words += String(text);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, words }));
  });
}

/** The words of a program that ends well. Throws with them where it does not. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const { code, words } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${words}`);
  return words;
}
