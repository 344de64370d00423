import { Later } from '../dialogs/later.tsx';
import type { ExportProps } from './export-steps.tsx';

const load = async () => (await import('./export-steps.tsx')).ExportSteps;

/** Builds a CSV file in a dialog and saves it. Few people need its code, so it is loaded when the dialog opens. */
export function ExportDialog(props: ExportProps) {
  return <Later load={load} props={props} isOpen />;
}
