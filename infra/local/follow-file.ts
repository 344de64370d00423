import { createReadStream, statSync, unwatchFile, watchFile } from 'node:fs';
import type { Writable } from 'node:stream';

const INTERVAL_MS = 200;

/** Copies what is appended to a file from now on, like `tail -f`; the function returned ends it. */
export function followFile(file: string, target: Writable): () => void {
  let position = statSync(file).size;
  watchFile(file, { interval: INTERVAL_MS }, ({ size }) => {
    if (size <= position) return;
    createReadStream(file, { start: position, end: size - 1 }).pipe(target, { end: false });
    position = size;
  });
  return () => unwatchFile(file);
}
