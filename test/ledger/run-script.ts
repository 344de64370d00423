import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ScriptEnd {
  readonly code: number | null;
  /** Everything it printed: seed, counts, and each violation. */
  readonly output: string;
}

/** Runs one of the ledger's scripts in a Node of its own: histories need their own clock and threads. */
export function runScript(path: string, args: readonly string[]): Promise<ScriptEnd> {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const note = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, output }));
  });
}
