import type { ChangeAutomaticTopUpBody } from '../../../../shared/payments/console/bodies.ts';
import type { AutomaticTopUpView } from '../../../../shared/payments/console/views.ts';
import { send } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { FORMS } from '../wallet/opened-dialog.ts';

interface RemoveCardDialogProps {
  readonly onSaved: (automatic: AutomaticTopUpView) => void;
  readonly onClose: () => void;
}

export function RemoveCardDialog({ onSaved, onClose }: RemoveCardDialogProps) {
  const body: ChangeAutomaticTopUpBody = { settings: null };
  return (
    <ConfirmDialog
      title="Remove the saved card"
      action="Remove the card"
      needsRecentSignIn
      name={FORMS['remove-card']}
      subject={{}}
      run={() => send<AutomaticTopUpView>('PUT', '/wallet/automatic-top-up', body)}
      onDone={onSaved}
      onClose={onClose}
    >
      <p>Automatic top-up ends. A charge that has begun is still completed.</p>
    </ConfirmDialog>
  );
}
