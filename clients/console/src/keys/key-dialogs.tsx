import { Later } from '../dialogs/later.tsx';
import type { OpenDialogProps } from '../key-dialogs/open-dialog.tsx';

const load = async () => (await import('../key-dialogs/open-dialog.tsx')).OpenDialog;

export function KeyDialogs(props: OpenDialogProps) {
  return <Later load={load} props={props} isOpen={props.opened !== undefined} />;
}
