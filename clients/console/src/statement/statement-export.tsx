import { monthEndMs, monthStartMs } from '../../../../shared/core/accounting-month.ts';
import type { Cell } from '../../../../shared/core/csv.ts';
import type { StatementLineView, StatementView } from '../../../../shared/ledger/console/views.ts';
import { get } from '../api.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { lagosTime } from '../export/lagos-time.ts';
import { formatNumber } from '../format.ts';
import { monthName } from '../months.ts';
import { type Selection, statementPath } from './selection.ts';

interface StatementExportProps {
  readonly selection: Selection;
  readonly onClose: () => void;
}

const PAGE_LIMIT = 100;

const COLUMNS = [
  'time_utc',
  'time_lagos',
  'kind',
  'id',
  'request_id',
  'service',
  'key_label',
  'amount',
  'balance_after',
  'naira_without_vat',
  'naira_vat',
  'reason',
];

export function StatementExport({ selection, onClose }: StatementExportProps) {
  const { env, month } = selection;
  return (
    <ExportDialog
      title={`Export the statement of ${monthName(month)}`}
      fileName={`statement-${env}-${month}`}
      columns={COLUMNS}
      countText={(count) => `${formatNumber(count)} ${count === 1 ? 'line' : 'lines'}`}
      readPage={async (cursor) => {
        const result = await get<StatementView>(
          statementPath({ ...selection, from: '' }, cursor, PAGE_LIMIT),
        );
        if (!result.ok) return result;
        const { lines, next_cursor } = result.data;
        return { ...result, data: { rows: lines.map(rowOf), next_cursor, share: shareOf(month, lines) } };
      }}
      onClose={onClose}
    />
  );
}

function shareOf(month: string, lines: readonly StatementLineView[]): number | undefined {
  const last = lines.at(-1);
  if (!last) return undefined;
  const [startMs, endMs] = [monthStartMs(month), Math.min(Date.now(), monthEndMs(month))];
  return Math.min(1, (Date.parse(last.at) - startMs) / (endMs - startMs));
}

function rowOf(line: StatementLineView): Cell[] {
  const { at, kind, id, request_id, service, key_label, amount, balance_after, reason } = line;
  const { net_kobo, vat_kobo } = line;
  return [
    at,
    lagosTime(at),
    kind,
    id,
    request_id ?? '',
    service ?? '',
    key_label ?? '',
    amount,
    balance_after,
    net_kobo === null ? '' : { kobo: net_kobo },
    vat_kobo === null ? '' : { kobo: vat_kobo },
    reason ?? '',
  ];
}
