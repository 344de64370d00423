import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { setting } from './config.ts';

/** Where in our own code an error occurred. A bundle is one line, so its positions mean nothing to a reader. */

/** Written next to each bundle by `infra/bundle/source-lines.ts`. */
const LINES_FILE = 'lines.json';
const MOST_FRAMES = 3;
const frame = /^\s+at .*?([^\s()]+):(\d+):(\d+)\)?$/;
const ownSource = /(?:^|\/)((?:clients|functions|infra|shared|test)\/(?!.*node_modules\/).+)$/;
/** They appear in the stack of every failed call. */
const CALLS = /^shared\/core\/(trace-client|failed-call)\.ts$/;

/**
 * Returns the files and lines of the first frame of our own code and of the code that called it, such as
 * `shared/core/database.ts:146 < shared/ledger/reserve.ts:88`. Returns the position in the bundle if the bundle has no
 * list of lines, and undefined if no frame is ours.
 */
export function sourcePosition({ message, stack = '' }: Error): string | undefined {
  // The message, with which a stack begins, may quote input.
  const frames = stack.replace(message, '');
  const positions = frames.split('\n').flatMap((line) => {
    const [, file, row, column] = frame.exec(line) ?? [];
    const position = file && positionOf(file, Number(row), Number(column));
    return position ? [position] : [];
  });
  // Several frames of the database client say nothing more than the first.
  const shown = positions.filter((position, index) => index === 0 || !position.startsWith('shared/core/'));
  return shown.length > 0 ? shown.slice(0, MOST_FRAMES).join(' < ') : undefined;
}

function positionOf(file: string, row: number, column: number): string | undefined {
  if (!file.endsWith('/index.cjs')) {
    const [, source] = ownSource.exec(file) ?? [];
    return source && !CALLS.test(source) ? `${source}:${row}` : undefined;
  }
  const map = bundleLines();
  if (!map) return `index.cjs:${row}:${column}`;
  const entry = map.findEntry(row - 1, column - 1);
  if (!('originalSource' in entry) || !entry.originalSource || CALLS.test(entry.originalSource))
    return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}`;
}

let lines: SourceMap | 'none' | undefined;

/** Read at the first error, because every cold start would otherwise wait for it. */
function bundleLines(): SourceMap | undefined {
  lines ??= readLines();
  return lines === 'none' ? undefined : lines;
}

function readLines(): SourceMap | 'none' {
  try {
    return new SourceMap(JSON.parse(readFileSync(join(setting('LAMBDA_TASK_ROOT'), LINES_FILE), 'utf8')));
  } catch {
    return 'none';
  }
}
