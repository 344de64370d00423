import { useSignal } from '@preact/signals';
import type { ChangesView, ChangeView } from '../../../../shared/audit/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { sharedTexts } from '../shared-texts.ts';
import { actionText } from './actions.ts';
import { ChangeDetails } from './change-details.tsx';
import { type Filter, pathOf } from './filter.ts';

const COLUMNS: readonly Column<ChangeView>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', cell: ({ by }) => <span class="name">{by.name}</span> },
  {
    head: 'What',
    cell: ({ action, target }) => (
      <>
        {actionText(action)}
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
  const read = useSignal(first);
  const isLoading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const { changes, next_cursor: cursor } = read.value;
  const load = async () => {
    isLoading.value = true;
    const result = await get<ChangesView>(pathOf(filter, cursor));
    isLoading.value = false;
    problem.value = result.ok ? undefined : result.problem;
    if (!result.ok) return;
    const { changes: older, next_cursor } = result.data;
    read.value = { changes: [...changes, ...older], next_cursor };
  };
  return (
    <>
      {changes.length > 0 ? (
        <DataTable caption="Changes, newest first" columns={COLUMNS} rows={changes} keyOf={({ id }) => id} />
      ) : (
        <EmptyState
          title={cursor === null ? 'No changes were found.' : 'Nothing was found among the latest changes.'}
        >
          <p>
            {cursor === null
              ? 'Try other words or a longer period.'
              : 'Load older changes to search further back.'}
          </p>
        </EmptyState>
      )}
      <div class="list-end">
        <p role="status">
          {changes.length > 0 &&
            `${formatNumber(changes.length)} ${changes.length === 1 ? 'change is' : 'changes are'} shown.`}{' '}
          {changes.length > 0 && cursor === null && 'There are no older changes.'}
        </p>
        <ProblemNotice problem={problem.value} onRetry={load} />
        {cursor !== null && !problem.value && (
          <Button isBusy={isLoading.value} onClick={load}>
            {isLoading.value ? sharedTexts.loading : 'Load older'}
          </Button>
        )}
      </div>
    </>
  );
}
