import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { Button } from '../components/button.tsx';
import { formatNumber } from '../format.ts';
import { walletTexts as texts } from '../texts.ts';
import type { OpenedDialog } from './opened-dialog.ts';

interface SettingsProps {
  readonly wallet: WalletView;
  readonly onOpen: (opened: OpenedDialog) => void;
}

/** The low-balance alert, and the details of the buyer on invoices. */
export function Settings({ wallet: { env, alert, billing }, onOpen }: SettingsProps) {
  const { name, address = [], tax_number, email } = billing ?? {};
  return (
    <div class="cards">
      {env === 'live' && (
        <section class="card" aria-labelledby="alert">
          <h2 id="alert">{texts.alert}</h2>
          <p>{texts.alertBelow(formatNumber(alert.below))}</p>
          {alert.is_default && <p class="hint">{texts.isDefault}</p>}
          <div class="buttons">
            <Button about={texts.alert} onClick={() => onOpen('alert')}>
              {texts.change}
            </Button>
          </div>
        </section>
      )}
      <section class="card" aria-labelledby="billing">
        <h2 id="billing">{texts.billing}</h2>
        {billing ? (
          <address>{[name, ...address, tax_number, email].join('\n')}</address>
        ) : (
          <p>{texts.noBilling}</p>
        )}
        <div class="buttons">
          <Button about={texts.billing} onClick={() => onOpen('billing')}>
            {billing ? texts.change : texts.enter}
          </Button>
        </div>
      </section>
    </div>
  );
}
