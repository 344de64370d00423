import type { ChangesView, ChangeView } from '../../../../shared/console/views.ts';
import { BYTE_ORDER_MARK, csvRow } from '../../../../shared/core/csv.ts';

/** How far an export has come. */
export interface Progress {
  readonly count: number;
  /** From 0 to 1, or undefined if the first day of the export is not known. */
  readonly share: number | undefined;
}

const COLUMNS = [
  'time_utc',
  'kind',
  'name',
  'action',
  'target',
  'before',
  'after',
  'address',
  'request_id',
  'change_id',
];

/**
 * Builds the CSV file of the audit trail, page by page. `read` returns the page after a cursor, or throws. Returns
 * undefined if the signal aborts it.
 */
export async function exportChanges(
  read: (cursor: string | null) => Promise<ChangesView>,
  from: string,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ csv: string; count: number } | undefined> {
  const rows = [csvRow(COLUMNS)];
  let first: string | undefined;
  let cursor: string | null = null;
  do {
    const { changes, next_cursor }: ChangesView = await read(cursor);
    if (signal.aborted) return undefined;
    rows.push(...changes.map(rowOf));
    first ??= changes[0]?.at;
    const last = changes.at(-1)?.at;
    onProgress({ count: rows.length - 1, share: next_cursor === null ? 1 : shareOf(first, last, from) });
    cursor = next_cursor;
  } while (cursor !== null);
  return { csv: BYTE_ORDER_MARK + rows.join(''), count: rows.length - 1 };
}

function rowOf({ id, at, by, action, target, before, after, address, request_id }: ChangeView): string {
  const values = [before, after].map((value) => (value ? JSON.stringify(value) : ''));
  return csvRow([at, by.kind, by.name, action, target, ...values, address ?? '', request_id ?? '', id]);
}

/** The changes come newest first, down to the beginning of the day `from`. */
function shareOf(first: string | undefined, last: string | undefined, from: string): number | undefined {
  if (!first || !last || !from) return undefined;
  const [firstMs, lastMs, fromMs] = [first, last, from].map(Date.parse) as [number, number, number];
  return firstMs > fromMs ? Math.min(1, (firstMs - lastMs) / (firstMs - fromMs)) : undefined;
}
