import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Preloaded into a program (`node --import`). Prints the paths of all files that the program itself reads, as JSON. */
const paths: string[] = [];

function recordCalls(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`node:fs has no ${name}.`);
  Reflect.set(owner, name, (...args: unknown[]) => {
    paths.push(String(args[0]));
    return Reflect.apply(original, owner, args);
  });
}

for (const name of ['readFile', 'open']) {
  recordCalls(fs, name);
  recordCalls(fs.promises, name);
}
recordCalls(fs, 'openSync');
syncBuiltinESMExports();
process.once('exit', () => process.stdout.write(JSON.stringify(paths)));
