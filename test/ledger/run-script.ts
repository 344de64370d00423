import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ScriptResult {
  readonly code: number | null;
  /** Standard output and error: seed, counts and violations. */
  readonly output: string;
}

/** Runs a script in this folder in its own Node process, because histories replace timers and use threads. */
export function runScript(path: string, args: readonly string[]): Promise<ScriptResult> {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const append = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, output }));
  });
}
