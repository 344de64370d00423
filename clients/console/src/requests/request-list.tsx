import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { RequestsView, RequestView } from '../../../../shared/verifications/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { sharedTexts } from '../shared-texts.ts';
import { addressOf, type Filter, pathOf } from './filter.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { RejectedList } from './rejected-list.tsx';

interface RequestListProps {
  readonly first: RequestsView;
  readonly env: Environment;
  readonly filter: Filter;
}

function columnsOf(env: Environment, filter: Filter): Column<RequestView>[] {
  return [
    {
      head: 'Request',
      cell: ({ request_id, requested_at, reference }) => (
        <>
          <a href={addressOf(env, filter, request_id)}>
            <code>{request_id}</code>
          </a>
          <span class="small block">
            <Time at={requested_at} as="seconds" />
          </span>
          {reference !== null && <span class="small block">Reference: {reference}</span>}
        </>
      ),
    },
    { head: 'Service', cell: ({ service }) => service },
    {
      head: 'Outcome',
      cell: ({ outcome, is_replay, replay_of }) => (
        <>
          <OutcomeBadge outcome={outcome} />
          {is_replay && <span class="small block">free replay of {replay_of}</span>}
        </>
      ),
    },
    {
      head: 'Credits',
      kind: 'number',
      cell: ({ credits_charged }) => formatNumber(credits_charged),
    },
    { head: 'Time (ms)', kind: 'number', cell: ({ latency_ms }) => formatNumber(latency_ms) },
    { head: 'Key', cell: ({ key_label }) => <span class="name">{key_label}</span> },
  ];
}

/** How many empty pages are read before the person is asked whether to continue. */
const MAX_EMPTY_PAGES = 10;

/** Returns the rows read so far, and a search for more, which pauses after `MAX_EMPTY_PAGES` empty pages. */
function useSearch({ first, env, filter }: RequestListProps) {
  const read = useSignal<RequestsView>(first);
  const isSearching = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const isStopped = useRef(false);
  const search = async () => {
    isStopped.current = false;
    isSearching.value = true;
    problem.value = undefined;
    for (let pages = 0; pages < MAX_EMPTY_PAGES && !isStopped.current; pages += 1) {
      const { requests, rejected, next_cursor } = read.value;
      const result = await get<RequestsView>(pathOf(env, filter, next_cursor));
      if (!result.ok) {
        problem.value = result.problem;
        break;
      }
      const { data } = result;
      read.value = {
        requests: [...requests, ...data.requests],
        rejected: [...rejected, ...data.rejected],
        next_cursor: data.next_cursor,
      };
      if (data.requests.length > 0 || data.next_cursor === null) break;
    }
    isSearching.value = false;
  };
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(() => {
    if (first.requests.length === 0 && first.next_cursor !== null) search();
    return stop;
  }, []);
  return { read, isSearching, problem, search, stop };
}

/**
 * The requests, newest first, and those that were rejected immediately. Earlier requests are added below. The page sets
 * `key` to the first requests, because a list keeps those that it began with.
 */
export function RequestList(props: RequestListProps) {
  const { env, filter } = props;
  const { read, isSearching, problem, search, stop } = useSearch(props);
  const { requests, rejected, next_cursor } = read.value;
  const isEmpty = requests.length === 0;
  const isEnd = next_cursor === null;
  return (
    <>
      <RejectedList rejected={rejected} env={env} filter={filter} />
      {!isEmpty && (
        <DataTable
          caption="Requests, newest first"
          columns={columnsOf(env, filter)}
          rows={requests}
          keyOf={({ request_id }) => request_id}
        />
      )}
      {isEmpty && isEnd && (
        <EmptyState title="No requests were found.">
          <p>
            By default, a search covers the last 7 days, or all days if it is for a reference. Choose days, or
            change the filters.
          </p>
          <p>
            {env === 'test'
              ? 'This list shows test requests only. Choose Live at the top to see live requests.'
              : 'This list shows live requests only. Choose Test at the top to see test requests.'}
          </p>
        </EmptyState>
      )}
      <div class="list-end">
        <p role="status">
          {!isEmpty &&
            `${formatNumber(requests.length)} ${requests.length === 1 ? 'request is' : 'requests are'} shown.`}{' '}
          {!isEmpty && isEnd && 'There are no earlier requests.'}
          {isEmpty &&
            !isEnd &&
            (isSearching.value
              ? 'Nothing found yet. Searching earlier requests…'
              : 'Nothing has been found so far. You can continue with earlier requests.')}
        </p>
        <ProblemNotice problem={problem.value} onRetry={search} />
        {isEmpty && isSearching.value && <Button onClick={stop}>Stop</Button>}
        {!isEnd && !problem.value && !(isEmpty && isSearching.value) && (
          <Button isBusy={isSearching.value} onClick={search}>
            {isSearching.value
              ? sharedTexts.loading
              : isEmpty
                ? 'Continue searching'
                : 'Load earlier requests'}
          </Button>
        )}
      </div>
    </>
  );
}
