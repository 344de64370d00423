import type { Environment } from '../../../../shared/core/environment.ts';
import type { RejectedRequestsView } from '../../../../shared/verifications/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { addressOf, type Filter } from './filter.ts';
import { groupRejected } from './group-rejected.ts';

interface RejectedListProps {
  readonly rejected: readonly RejectedRequestsView[];
  /** Whether the whole period has been read. */
  readonly isEnd: boolean;
  readonly env: Environment;
  readonly filter: Filter;
}

export function RejectedList({ rejected, isEnd, env, filter }: RejectedListProps) {
  if (rejected.length === 0) return null;
  const groups = groupRejected(rejected);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const columns: Column<RejectedRequestsView>[] = [
    {
      head: 'Code',
      cell: ({ http_status, code, route }) => (
        <>
          <code>
            {http_status} {code}
          </code>
          <code class="small block">{route}</code>
        </>
      ),
    },
    { head: 'Requests', kind: 'number', cell: (group) => formatNumber(group.count) },
    {
      head: 'Key',
      cell: ({ key_label }) => <span class="name">{key_label || 'Unknown'}</span>,
    },
    { head: 'Last', cell: ({ minute }) => <Time at={minute} /> },
    {
      head: 'Example',
      cell: ({ request_id }) => (
        <a href={addressOf(env, filter, request_id)}>
          <code>{request_id}</code>
        </a>
      ),
    },
  ];
  return (
    <details class="card rejected">
      <summary>
        {!isEnd && 'At least '}
        {formatNumber(count)} {count === 1 ? 'request was' : 'requests were'} rejected immediately in this
        period
      </summary>
      <p>
        These requests did not reach a registry and cost nothing, so the list of requests does not include
        them. They are stored for 7 days.
      </p>
      <DataTable
        caption="Rejected requests, by code"
        columns={columns}
        rows={groups}
        keyOf={({ request_id }) => request_id}
      />
    </details>
  );
}
