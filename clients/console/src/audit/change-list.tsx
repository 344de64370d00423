import type { ChangesView, ChangeView } from '../../../../shared/audit/console/views.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { shownText, useOlderPages } from '../older-pages.ts';
import { ChangeDetails } from './change-details.tsx';
import { type Filter, pathOf } from './filter.ts';

const COLUMNS: readonly Column<ChangeView>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', cell: ({ by }) => <span class="name">{by.name}</span> },
  {
    head: 'What',
    cell: ({ action_text, target }) => (
      <>
        {action_text}
        <span class="small block">{target}</span>
      </>
    ),
  },
  { head: 'IP address', cell: ({ address }) => address ?? 'Not recorded' },
  { head: 'Details', cell: (change) => <ChangeDetails change={change} /> },
];

interface ChangeListProps {
  readonly first: ChangesView;
  readonly filter: Filter;
}

/**
 * The changes, newest first. Older pages are added below. The page sets `key` to the first changes, because a list
 * keeps those that it began with.
 */
export function ChangeList({ first, filter }: ChangeListProps) {
  const { read, isSearching, problem, search, stop } = useOlderPages<ChangesView>({
    first,
    pathOf: (cursor) => pathOf(filter, cursor),
    add: (newer, { changes, next_cursor }) => ({ changes: [...newer.changes, ...changes], next_cursor }),
    countOf: ({ changes }) => changes.length,
  });
  const { changes, next_cursor: cursor } = read.value;
  return (
    <>
      {changes.length > 0 ? (
        <DataTable caption="Changes, newest first" columns={COLUMNS} rows={changes} keyOf={({ id }) => id} />
      ) : (
        cursor === null && (
          <EmptyState title="No changes were found.">
            <p>Try other words or a longer period.</p>
          </EmptyState>
        )
      )}
      <div class="list-end">
        <p role="status">
          {changes.length > 0 && shownText(changes.length, 'change', cursor === null)}{' '}
          {changes.length > 0 && cursor === null && 'No older ones were found.'}
          {isSearching.value && 'Searching older changes…'}
          {cursor !== null &&
            !isSearching.value &&
            (changes.length === 0 ? 'Nothing has been found so far.' : 'There may be older ones.')}
        </p>
        <ProblemNotice problem={problem.value} onRetry={search} />
        {cursor !== null && !problem.value && (
          <Button onClick={isSearching.value ? stop : search}>
            {isSearching.value ? 'Stop' : 'Load older'}
          </Button>
        )}
      </div>
    </>
  );
}
