import { writeFileSync } from 'node:fs';

/**
 * Writes a file that does not exist yet. Invoices and reports name customers, so only the current user of this machine
 * may read it. Throws an error with a message for the operator if the file exists or cannot be written.
 */
export function writeNewFile(path: string, content: Uint8Array | string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Error(`The file ${path} already exists. Pass the name of a new file.`);
    if (code === 'ENOENT') throw new Error(`The folder of the file ${path} does not exist. Create it first.`);
    throw new Error(`The file ${path} cannot be written (${code}).`);
  }
}
