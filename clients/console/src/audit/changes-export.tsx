import type { ChangesView, ChangeView } from '../../../../shared/audit/console/views.ts';
import type { Cell } from '../../../../shared/core/csv.ts';
import { get } from '../api.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { lagosTime } from '../export/lagos-time.ts';
import { shareDownTo } from '../export/share-down-to.ts';
import { formatNumber } from '../format.ts';
import { type Filter, pathOf } from './filter.ts';

interface ChangesExportProps {
  readonly filter: Filter;
  readonly onClose: () => void;
}

const PAGE_LIMIT = 100;

const COLUMNS = [
  'time_utc',
  'time_lagos',
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

export function ChangesExport({ filter, onClose }: ChangesExportProps) {
  const shareOf = shareDownTo(Date.parse(filter.from));
  return (
    <ExportDialog
      title="Export the audit trail"
      fileName={`audit-trail-${new Date().toISOString().slice(0, 10)}`}
      columns={COLUMNS}
      countText={(count) => `${formatNumber(count)} ${count === 1 ? 'change' : 'changes'}`}
      readPage={async (cursor) => {
        const result = await get<ChangesView>(pathOf(filter, cursor, PAGE_LIMIT));
        if (!result.ok) return result;
        const { changes, next_cursor } = result.data;
        const share = shareOf(changes.map(({ at }) => at));
        return { ...result, data: { rows: changes.map(rowOf), next_cursor, share } };
      }}
      onClose={onClose}
    />
  );
}

function rowOf({ id, at, by, action, target, before, after, address, request_id }: ChangeView): Cell[] {
  const values = [before, after].map((value) => (value ? JSON.stringify(value) : ''));
  return [
    at,
    lagosTime(at),
    by.kind,
    by.name,
    action,
    target,
    ...values,
    address ?? '',
    request_id ?? '',
    id,
  ];
}
