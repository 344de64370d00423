import type { Environment } from '../../../../shared/core/environment.ts';
import type { RejectedRequestsView } from '../../../../shared/verifications/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { requestsTexts } from '../texts.ts';
import { addressOf, type Filter } from './filter.ts';
import { groupRejected } from './group-rejected.ts';

interface RejectedListProps {
  readonly rejected: readonly RejectedRequestsView[];
  readonly env: Environment;
  readonly filter: Filter;
}

const { rejectedHeads } = requestsTexts;

/** How many requests were rejected before they reserved a credit, by code, route and key. */
export function RejectedList({ rejected, env, filter }: RejectedListProps) {
  if (rejected.length === 0) return null;
  const groups = groupRejected(rejected);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const columns: Column<RejectedRequestsView>[] = [
    {
      head: rejectedHeads.code,
      cell: ({ http_status, code, route }) => (
        <>
          <code>
            {http_status} {code}
          </code>
          <code class="small block">{route}</code>
        </>
      ),
    },
    { head: rejectedHeads.count, kind: 'number', cell: (group) => formatNumber(group.count) },
    {
      head: rejectedHeads.key,
      cell: ({ key_label }) => <span class="name">{key_label || requestsTexts.noKey}</span>,
    },
    { head: rejectedHeads.last, cell: ({ minute }) => <Time at={minute} /> },
    {
      head: rejectedHeads.example,
      cell: ({ request_id }) => (
        <a href={addressOf(env, filter, request_id)}>
          <code>{request_id}</code>
        </a>
      ),
    },
  ];
  return (
    <details class="card rejected">
      <summary>{requestsTexts.rejected(formatNumber(count), count === 1)}</summary>
      <p>{requestsTexts.rejectedText}</p>
      <DataTable
        caption={requestsTexts.rejectedCaption}
        columns={columns}
        rows={groups}
        keyOf={({ request_id }) => request_id}
      />
    </details>
  );
}
