/** Output for people: short lines and aligned columns. */

/** Columns as wide as their widest cell; numbers are written to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return 'None.';
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? amount(cell) : cell)),
  );
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = head.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => padded(cell, widths[column] ?? 0, isNumber[column] ?? false)).join('  ');
  return cells.map((row) => line(row).trimEnd()).join('\n');
}

/** One field a line, the names aligned. */
export function fields(entries: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) =>
      `${name.padEnd(width)}  ${typeof value === 'number' ? amount(value) : value}`.trimEnd(),
    )
    .join('\n');
}

/** `1,000,000` */
export function amount(value: number): string {
  return value.toLocaleString('en-US');
}

/** An ISO time to the second, in UTC. */
export function time(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

function padded(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
