/** Formats results for people. */

/** Formats rows in aligned columns. Numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return 'None.';
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? amount(cell) : cell)),
  );
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = head.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const padded = (cell: string, column: number) =>
    isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** Formats one field per line, with the values aligned. */
export function fields(entries: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) =>
      `${name.padEnd(width)}  ${typeof value === 'number' ? amount(value) : value}`.trimEnd(),
    )
    .join('\n');
}

/** Formats a number with separators: `1,000,000`. */
export function amount(value: number): string {
  return value.toLocaleString('en-US');
}

/** Shortens an ISO time in UTC to whole seconds. */
export function time(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

/** Formats a number with its noun: `1 shard`, `2 shards`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
