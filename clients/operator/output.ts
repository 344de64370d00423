import { printable } from '../../shared/core/printable-text.ts';

/**
 * In a terminal, lines are wrapped. Texts from people or other systems are escaped, so that each stays in its cell.
 */

/** Unlimited outside a terminal, because scripts read whole lines. */
const terminalWidth = () => process.stdout.columns ?? Number.POSITIVE_INFINITY;
/** Less would be hard to read. */
const LEAST_WRAP_WIDTH = 20;

/**
 * Numbers are right-aligned, and text in the last column is wrapped. If the columns do not fit, one field per line. The
 * columns `amountsOfMoney` contain text such as `1,000.00`.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  width = terminalWidth(),
  amountsOfMoney: ReadonlySet<number> = new Set(),
): string {
  if (rows.length === 0) return 'None.';
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? amount(cell) : printable(cell))),
  );
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const last = head.length - 1;
  const widthBeforeLast = widths.slice(0, last).reduce((sum, one) => sum + one + 2, 0);
  if (widthBeforeLast + Math.min(widths[last] ?? 0, LEAST_WRAP_WIDTH) > width)
    return rows.map((row) => fields(namedBy(head, row), width)).join('\n\n');
  const isNumber = head.map(
    (_, column) => amountsOfMoney.has(column) || rows.some((row) => typeof row[column] === 'number'),
  );
  const padded = (cell: string, column: number) =>
    isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return cells
    .map((row) => {
      const before = row.slice(0, last).map((cell, column) => `${padded(cell, column)}  `);
      return hanging(before.join(''), padded(row[last] ?? '', last), width);
    })
    .join('\n');
}

function namedBy(
  head: readonly string[],
  row: readonly (string | number)[],
): Record<string, string | number> {
  return Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']));
}

/** One per line, aligned and wrapped. */
export function fields(entries: Readonly<Record<string, string | number>>, width = terminalWidth()): string {
  const nameWidth = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => {
      const text = typeof value === 'number' ? amount(value) : printable(value);
      return hanging(`${name.padEnd(nameWidth)}  `, text, width);
    })
    .join('\n');
}

/** Wraps one line of text at spaces. */
export function paragraph(text: string, width = terminalWidth()): string {
  return hanging('', printable(text), width);
}

/** Wraps at spaces, but not before a bracket: `NIN (1)` stays together. */
function hanging(label: string, text: string, width: number): string {
  const textWidth = Math.max(width - label.length, LEAST_WRAP_WIDTH);
  if (text.trimEnd().length <= textWidth) return `${label}${text}`.trimEnd();
  const lines: string[] = [];
  let line = '';
  for (const word of text.trimEnd().split(/ (?!\()/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > textWidth) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line]
    .map((one, index) => (index === 0 ? label : ' '.repeat(label.length)) + one)
    .join('\n');
}

/** Formats a number with separators: `1,000,000`. */
export function amount(value: number): string {
  return value.toLocaleString('en-US');
}

/** UTC, whole seconds. */
export function time(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

/** `1 shard`, `2 shards`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
