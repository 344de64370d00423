import { Later } from '../dialogs/later.tsx';
import type { OpenDialogProps } from '../wallet-dialogs/open-dialog.tsx';

const load = async () => (await import('../wallet-dialogs/open-dialog.tsx')).OpenDialog;

export function WalletDialogs(props: OpenDialogProps) {
  return <Later load={load} props={props} isOpen={props.opened !== undefined} />;
}
