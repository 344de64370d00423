import type { Result } from '../api.ts';
import { Later } from '../dialogs/later.tsx';
import type { ExportPage } from './export-csv.ts';

export interface ExportDialogProps {
  readonly title: string;
  /** The name of the file without its extension, such as `statement-live-2026-11`. */
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Reads the page after a cursor, with as many rows as the route permits. */
  readonly readPage: (cursor: string | null) => Promise<Result<ExportPage>>;
  /** The number of rows with their noun: "12 changes". */
  readonly countText: (count: number) => string;
  readonly onClose: () => void;
}

const load = async () => (await import('./export-steps.tsx')).ExportSteps;

/** Builds a CSV file in a dialog, and saves it. Few people need its code, so it is loaded when the dialog opens. */
export function ExportDialog(props: ExportDialogProps) {
  return <Later load={load} props={props} isOpen />;
}
