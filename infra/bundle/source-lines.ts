import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * The part of a source map that names the files and lines of our own code, for log lines (`shared/core/source-position.ts`).
 * The whole map would double the size of a function, and Node.js would read it at every cold start.
 */

interface SourceMapFile {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Writes `lines.json` next to a bundle and its source map. `root` is the directory of our sources. */
export function writeSourceLines(directory: string, root: string): void {
  const map = JSON.parse(readFileSync(join(directory, 'index.cjs.map'), 'utf8')) as SourceMapFile;
  const sources = map.sources.map((source) => relative(root, resolve(directory, source)));
  writeFileSync(join(directory, 'lines.json'), JSON.stringify(ownLines({ ...map, sources })));
}

/**
 * Keeps one segment for the beginning of each line of our own sources, and one without a source for the beginning of
 * other code.
 */
function ownLines({ sources, mappings }: SourceMapFile): object {
  const own = sources.filter((path) => !path.includes('node_modules/'));
  const indexes = sources.map((path) => own.indexOf(path));
  let [source, line] = [0, 0];
  let kept = { source: 0, line: 0 };
  const bundled = mappings.split(';').map((segments) => {
    let [column, keptColumn, last] = [0, 0, ''];
    const found: string[] = [];
    for (const segment of segments.split(',').filter(Boolean)) {
      const [columns = 0, ofSource = 0, ofLine = 0] = decoded(segment);
      column += columns;
      source += ofSource;
      line += ofLine;
      const index = indexes[source] ?? -1;
      const position = index < 0 ? 'other' : `${index}:${line}`;
      if (position === last) continue;
      last = position;
      const since = column - keptColumn;
      keptColumn = column;
      found.push(index < 0 ? encoded([since]) : encoded([since, index - kept.source, line - kept.line, 0]));
      if (index >= 0) kept = { source: index, line };
    }
    return found.join(',');
  });
  return { version: 3, sources: own, names: [], mappings: bundled.join(';') };
}

/** Base 64 digits of five bits, with the sign in the last bit (https://tc39.es/ecma426/#sec-base64-vlq). */
function decoded(segment: string): number[] {
  const numbers: number[] = [];
  let [value, unit] = [0, 1];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits % 32) * unit;
    unit *= 32;
    if (bits >= 32) continue;
    numbers.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
    [value, unit] = [0, 1];
  }
  return numbers;
}

function encoded(numbers: readonly number[]): string {
  return numbers.map(digitsOf).join('');
}

function digitsOf(number: number): string {
  const value = Math.abs(number) * 2 + (number < 0 ? 1 : 0);
  const rest = (left: number): string =>
    left < 32 ? (DIGITS[left] ?? '') : `${DIGITS[(left % 32) + 32]}${rest(Math.floor(left / 32))}`;
  return rest(value);
}
