import { lagosDayStartMs } from '../../../../shared/core/accounting-month.ts';
import type { Cell } from '../../../../shared/core/csv.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { RequestsView } from '../../../../shared/verifications/console/views.ts';
import { get } from '../api.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { lagosTime } from '../export/lagos-time.ts';
import { shareDownTo } from '../export/share-down-to.ts';
import { formatNumber } from '../format.ts';
import { exportPathOf, type Filter } from './filter.ts';

interface RequestsExportProps {
  readonly env: Environment;
  readonly filter: Filter;
  /** The first day that is exported. */
  readonly from: string;
  readonly onClose: () => void;
}

const COLUMNS = [
  'time_utc',
  'time_lagos',
  'request_id',
  'reference',
  'service',
  'outcome',
  'http_status',
  'credits_charged',
  'is_replay',
  'replay_of',
  'provider',
  'key_label',
  'latency_ms',
  'match',
  'consent',
  'reason',
];

export function RequestsExport({ env, filter, from, onClose }: RequestsExportProps) {
  const shareOf = shareDownTo(lagosDayStartMs(from));
  return (
    <ExportDialog
      title="Export the requests"
      fileName={`requests-${env}-${new Date().toISOString().slice(0, 10)}`}
      columns={COLUMNS}
      countText={(count) => `${formatNumber(count)} ${count === 1 ? 'request' : 'requests'}`}
      readPage={async (cursor) => {
        const result = await get<RequestsView>(exportPathOf(env, filter, cursor));
        if (!result.ok) return result;
        const { requests, next_cursor } = result.data;
        const share = shareOf(requests.map(({ requested_at }) => requested_at));
        return { ...result, data: { rows: requests.map(rowOf), next_cursor, share } };
      }}
      onClose={onClose}
    />
  );
}

function rowOf(request: RequestsView['requests'][number]): Cell[] {
  const { requested_at, request_id, reference, service, outcome, http_status } = request;
  const { credits_charged, is_replay, replay_of, provider, key_label, latency_ms } = request;
  const { match, consent, reason } = request;
  const before = [
    requested_at,
    lagosTime(requested_at),
    request_id,
    reference ?? '',
    service,
    outcome,
    http_status,
  ];
  const replay = [String(is_replay), replay_of ?? ''];
  const details = [match ?? '', consent ?? '', reason ?? ''];
  return [...before, credits_charged, ...replay, provider, key_label, latency_ms, ...details];
}
