import { dayPlus } from '../../../../shared/core/accounting-month.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import { later } from '../../../../shared/core/time-order.ts';
import type { RequestsView, RequestView } from '../../../../shared/verifications/console/views.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatDay, formatList, formatNumber, isUtcShown } from '../format.ts';
import { shownText, useOlderPages } from '../older-pages.ts';
import { outcomeNames } from '../shared-texts.ts';
import { addressOf, type Filter, filterOf, pathOf } from './filter.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { RejectedList } from './rejected-list.tsx';

interface RequestListProps {
  readonly first: RequestsView;
  readonly env: Environment;
  readonly filter: Filter;
  readonly onShow: (filter: Filter) => void;
}

/** By how many days a list is continued beyond its first day. */
const MORE_DAYS = 30;

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
    {
      head: 'Time (ms)',
      kind: 'number',
      cell: ({ latency_ms }) => (latency_ms > 0 ? formatNumber(latency_ms) : '–'),
    },
    { head: 'Key', cell: ({ key_label }) => <span class="name">{key_label}</span> },
  ];
}

const addPage = (read: RequestsView, older: RequestsView): RequestsView => ({
  ...read,
  requests: [...read.requests, ...older.requests],
  rejected: [...read.rejected, ...older.rejected],
  ...{ read_to: older.read_to, next_cursor: older.next_cursor },
});

/**
 * The requests, newest first, and those that were rejected immediately. Earlier requests are added below. The page sets
 * `key` to the first requests, because a list keeps those that it began with.
 */
export function RequestList({ first, env, filter, onShow }: RequestListProps) {
  const { read, isSearching, problem, search, stop } = useOlderPages({
    first,
    pathOf: (cursor) => pathOf(env, filter, cursor),
    add: addPage,
    countOf: ({ requests }) => requests.length,
  });
  const { requests, rejected, read_to, next_cursor } = read.value;
  const isEmpty = requests.length === 0;
  const isEnd = next_cursor === null;
  const { from, to, first_day } = first;
  const backTo = formatDay(read_to, 'UTC');
  return (
    <>
      <p class="hint before-fields">
        Days shown: {formatDay(from, 'UTC')} to {formatDay(to, 'UTC')}, Nigerian time
        {isUtcShown.value && ': each begins at 23:00 UTC on the day before'}.
      </p>
      <RejectedList rejected={rejected} isEnd={isEnd} env={env} filter={filter} />
      {!isEmpty && (
        <DataTable
          caption="Requests, newest first"
          columns={columnsOf(env, filter)}
          rows={requests}
          keyOf={({ request_id }) => request_id}
        />
      )}
      {isEmpty && isEnd && (
        <EmptyState title="No requests were found in these days.">
          <WhatToTry env={env} filter={filter} onShow={onShow} />
        </EmptyState>
      )}
      <div class="list-end">
        <p role="status">
          {!isEmpty && shownText(requests.length, 'request', isEnd, backTo)}{' '}
          {!isEmpty && isEnd && 'No others were found in these days.'}
          {isSearching.value && `${isEmpty ? 'Nothing found yet. ' : ''}Searching earlier requests…`}
          {!isEnd &&
            !isSearching.value &&
            (isEmpty ? `Nothing has been found so far, back to ${backTo}.` : 'There may be more.')}
        </p>
        <ProblemNotice problem={problem.value} onRetry={search} />
        {isEnd && from > first_day && (
          <Button onClick={() => onShow({ ...filter, from: later(dayPlus(from, -MORE_DAYS), first_day) })}>
            {`Include ${MORE_DAYS} days before`}
          </Button>
        )}
        {!isEnd && !problem.value && (
          <Button onClick={isSearching.value ? stop : search}>
            {isSearching.value ? 'Stop' : isEmpty ? 'Continue searching' : 'Load earlier requests'}
          </Button>
        )}
      </div>
    </>
  );
}

/** The filters may be out of view, and hide what the reference would find. */
function WhatToTry({ env, filter, onShow }: Omit<RequestListProps, 'first'>) {
  const { reference, service, outcome, key, from, to } = filter;
  // All days are searched for a reference.
  const days = reference && (from || to) ? 'days' : '';
  const outcomeName = (outcomeNames as Readonly<Record<string, string>>)[outcome] ?? '';
  const names = [service, outcomeName, key && `key “${key}”`, days].filter(Boolean);
  return (
    <>
      {names.length > 0 && (
        <>
          <p>Filters are set: {formatList(names)}.</p>
          <Button onClick={() => onShow(filterOf(reference ? { reference } : { from, to }))}>
            Search without filters
          </Button>
        </>
      )}
      <p>
        {env === 'test'
          ? 'This list shows test requests only. Choose Live at the top to see live requests.'
          : 'This list shows live requests only. Choose Test at the top to see test requests.'}
      </p>
    </>
  );
}
