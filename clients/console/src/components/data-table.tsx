import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface Column<R> {
  readonly head: string;
  readonly cell: (row: R) => ComponentChildren;
  /** `number`: right-aligned. `actions`: the row's buttons, without a visible heading. */
  readonly kind?: 'number' | 'actions';
}

interface DataTableProps<R> {
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  /** Whether the page was opened for this row. It is scrolled to. */
  readonly isMarked?: (row: R) => boolean;
}

/** A table. On narrow screens each row becomes a card, with the headings of the columns next to the values. */
export function DataTable<R>({ caption, columns, rows, keyOf, isMarked }: DataTableProps<R>) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => table.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }), []);
  return (
    <table class="data" ref={table}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, kind }) => (
            <th key={head} scope="col" class={kind}>
              <span class={kind === 'actions' ? 'hidden' : undefined}>{head}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} aria-current={isMarked?.(row) ? 'true' : undefined}>
            {columns.map((column, index) => (
              <Cell key={column.head} column={column} row={row} isFirst={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps<R> {
  readonly column: Column<R>;
  readonly row: R;
  readonly isFirst: boolean;
}

function Cell<R>({ column: { head, cell, kind }, row, isFirst }: CellProps<R>) {
  if (isFirst) return <th scope="row">{cell(row)}</th>;
  return (
    <td class={kind}>
      {kind !== 'actions' && (
        <span class="card-label" aria-hidden="true">
          {head}
        </span>
      )}
      <div class="value">{cell(row)}</div>
    </td>
  );
}
