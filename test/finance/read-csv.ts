/** Reads a CSV file as RFC 4180 describes it, with a byte order mark. Returns its rows, the header first. */
export function readCsv(text: string): string[][] {
  if (!text.startsWith('\ufeff')) throw new Error('The file has no byte order mark.');
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (rows.length !== text.split('\r\n').length - 1) throw new Error('The file is not CSV.');
  return rows;
}
