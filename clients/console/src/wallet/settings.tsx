import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { Button } from '../components/button.tsx';
import { formatNumber } from '../format.ts';
import type { OpenedDialog } from './opened-dialog.ts';

interface SettingsProps {
  readonly wallet: WalletView;
  readonly onOpen: (opened: OpenedDialog) => void;
}

export function Settings({ wallet: { env, alert, billing }, onOpen }: SettingsProps) {
  const { name, address = [], tax_number, email } = billing ?? {};
  return (
    <div class="cards">
      {env === 'live' && (
        <section class="card" aria-labelledby="alert">
          <h2 id="alert">Low-balance alert</h2>
          <p>
            Owners and finance members receive an email when fewer than {formatNumber(alert.below)} credits
            are left.
          </p>
          {alert.is_default && <p class="hint">This is the default of the service.</p>}
          <div class="buttons">
            <Button about="Low-balance alert" onClick={() => onOpen('alert')}>
              Change
            </Button>
          </div>
        </section>
      )}
      <section class="card" aria-labelledby="billing">
        <h2 id="billing">Billing details</h2>
        {billing ? (
          <address>{[name, ...address, tax_number, email].join('\n')}</address>
        ) : (
          <p>Invoices show your name, address and tax number. You enter them with your first top-up.</p>
        )}
        <div class="buttons">
          <Button about="Billing details" onClick={() => onOpen('billing')}>
            {billing ? 'Change' : 'Enter'}
          </Button>
        </div>
      </section>
    </div>
  );
}
