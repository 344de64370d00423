import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { Dialog } from '../components/dialog.tsx';
import type { OpenedDialog } from '../wallet/opened-dialog.ts';
import { AlertForm } from './alert-form.tsx';
import { AutomaticForm, EndAutomaticDialog } from './automatic-form.tsx';
import { BillingForm } from './billing-form.tsx';
import { TopUpForm } from './top-up-form.tsx';

export interface OpenDialogProps {
  readonly wallet: WalletView;
  readonly opened: OpenedDialog | undefined;
  /** Opens the dialog of a top-up. Undefined if credits cannot be bought. */
  readonly onTopUp: (() => void) | undefined;
  readonly onSaved: (change: Partial<WalletView>) => void;
  readonly onClose: () => void;
}

/** The open dialog of the page, if any. The first top-up begins with the billing details. */
export function OpenDialog({ wallet, opened, onTopUp, onSaved, onClose }: OpenDialogProps) {
  const { env, price, billing, suggested_billing: suggested, alert } = wallet;
  const saveAndClose = (change: Partial<WalletView>) => {
    onSaved(change);
    onClose();
  };
  if (opened === 'alert')
    return (
      <Dialog title="Low-balance alert" onClose={onClose}>
        <AlertForm alert={alert} onSaved={(saved) => saveAndClose({ alert: saved })} onCancel={onClose} />
      </Dialog>
    );
  if (opened === 'automatic')
    return (
      <Dialog title="Automatic top-up" onClose={onClose}>
        <AutomaticForm
          wallet={wallet}
          onTopUp={onTopUp}
          onSaved={(saved) => saveAndClose({ automatic: saved })}
          onCancel={onClose}
        />
      </Dialog>
    );
  if (opened === 'switch-off' || opened === 'remove-card')
    return (
      <EndAutomaticDialog
        key={opened}
        opened={opened}
        onSaved={(saved) => saveAndClose({ automatic: saved })}
        onClose={onClose}
      />
    );
  if (opened === 'billing')
    return (
      <Dialog title="Billing details" onClose={onClose}>
        <BillingForm
          billing={billing ?? suggested}
          action="Save the details"
          onSaved={(saved) => saveAndClose({ billing: saved })}
          onCancel={onClose}
        />
      </Dialog>
    );
  if (opened !== 'top-up' || !price) return null;
  // Two dialogs, so that the focus starts at the first field of each.
  return billing ? (
    <Dialog key="amount" title="Top up" onClose={onClose}>
      <TopUpForm env={env} price={price} billing={billing} onReturn={onClose} onCancel={onClose} />
    </Dialog>
  ) : (
    <Dialog key="billing" title="Top up" onClose={onClose}>
      <BillingForm
        billing={suggested}
        action="Continue"
        onSaved={(saved) => onSaved({ billing: saved })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
