import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { formatNumber } from '../format.ts';
import { periodName } from './comparison.ts';
import { USAGE_COLUMNS, usageRows } from './usage-rows.ts';

interface UsageExportProps {
  readonly usage: UsageView;
  readonly onClose: () => void;
}

export function UsageExport({ usage, onClose }: UsageExportProps) {
  const { month, from, to, env } = usage;
  return (
    <ExportDialog
      title={`Export the usage of ${periodName(usage)}`}
      fileName={`usage-${env}-${month ?? `${from}-to-${to}`}`}
      columns={USAGE_COLUMNS}
      countText={(count) => `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}`}
      readPage={async () => ({ ok: true, data: { rows: usageRows(usage), next_cursor: null }, message: '' })}
      onClose={onClose}
    />
  );
}
