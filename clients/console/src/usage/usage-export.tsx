import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { formatNumber } from '../format.ts';
import { monthName } from '../months.ts';
import { USAGE_COLUMNS, usageRows } from './usage-rows.ts';

interface UsageExportProps {
  readonly usage: UsageView;
  readonly onClose: () => void;
}

export function UsageExport({ usage, onClose }: UsageExportProps) {
  const { month, env } = usage;
  return (
    <ExportDialog
      title={`Export the usage of ${monthName(month)}`}
      fileName={`usage-${env}-${month}`}
      columns={USAGE_COLUMNS}
      countText={(count) => `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}`}
      readPage={async () => ({ ok: true, data: { rows: usageRows(usage), next_cursor: null }, message: '' })}
      onClose={onClose}
    />
  );
}
