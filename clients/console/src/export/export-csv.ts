import { BYTE_ORDER_MARK, type Cell, csvRow } from '../../../../shared/core/csv.ts';

export interface ExportPage {
  readonly rows: readonly (readonly Cell[])[];
  readonly next_cursor: string | null;
  /** The share of all rows that has been read after this page, from 0 to 1. Undefined if the total is not known. */
  readonly share?: number | undefined;
}

export interface Progress {
  readonly count: number;
  /** From 0 to 1, or undefined if the total is not known. */
  readonly share: number | undefined;
}

/**
 * Builds a CSV file, page by page. `read` returns the page after a cursor, or throws. Returns undefined if the signal
 * has aborted the export.
 */
export async function exportCsv(
  columns: readonly string[],
  read: (cursor: string | null) => Promise<ExportPage>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ csv: string; count: number } | undefined> {
  const lines = [csvRow(columns)];
  let cursor: string | null = null;
  do {
    const { rows, next_cursor, share }: ExportPage = await read(cursor);
    if (signal.aborted) return undefined;
    for (const row of rows) lines.push(csvRow(row));
    onProgress({ count: lines.length - 1, share: next_cursor === null ? 1 : share });
    cursor = next_cursor;
  } while (cursor !== null);
  return { csv: BYTE_ORDER_MARK + lines.join(''), count: lines.length - 1 };
}
