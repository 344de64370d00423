import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BASE_ENVIRONMENT } from '../support/programs.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAM = fileURLToPath(new URL('../../clients/operator/main.ts', import.meta.url));

/**
 * Runs the program in its own process, with these arguments and environment variables. Its stdin is empty and not a
 * terminal. If `reads` is false, its stdout is closed at once.
 */
export function runAdmin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { reads = true } = {},
): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...BASE_ENVIRONMENT, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (!reads) child.stdout.destroy();
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', fail).once('close', (code) => done({ code, stdout, stderr }));
  });
}
