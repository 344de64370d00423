import { SourceMap } from 'node:module';
import { inflateRawSync } from 'node:zlib';

/** In a bundle. Both count from 1. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the file and line of our code, such as `shared/ledger/reserve.ts:88`, for a position in a bundle. `archive` is
 * the package of the function.
 */
export function sourceOfPosition(archive: Buffer, { row, column }: Position): string {
  const lines = fileIn(archive, 'lines.json');
  if (!lines) throw new Error('This version has no list of lines. Build its commit instead.');
  const entry = new SourceMap(JSON.parse(lines.toString())).findEntry(row - 1, column - 1);
  if (!('originalSource' in entry) || !entry.originalSource)
    return 'This position is in a package, not in our code. Try the next line of the stack.';
  return `${entry.originalSource}:${entry.originalLine + 1}`;
}

/** Reads one file of a ZIP archive, which lists its entries at the end. */
function fileIn(archive: Buffer, name: string): Buffer | undefined {
  const end = archive.lastIndexOf('PK\x05\x06');
  if (end < 0) throw new Error('The code is not a ZIP archive.');
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) =>
      archive.readUInt16LE(entry + at),
    );
    const [method, size] = [archive.readUInt16LE(entry + 10), archive.readUInt32LE(entry + 20)];
    const file = archive.toString('utf8', entry + 46, entry + 46 + (nameLength ?? 0));
    if (file === name) {
      const local = archive.readUInt32LE(entry + 42);
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const data = archive.subarray(start, start + size);
      return method === 0 ? data : inflateRawSync(data);
    }
    entry += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return undefined;
}
