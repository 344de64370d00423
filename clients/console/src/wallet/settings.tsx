import type { ComponentChildren } from 'preact';
import type { AutomaticTopUpView, WalletView } from '../../../../shared/payments/console/views.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { may } from '../session.ts';
import { cardName } from './card-name.ts';
import type { OpenedDialog } from './opened-dialog.ts';

/** The setting that was saved last, and what its card says about it. */
export interface Saved {
  readonly of: 'alert' | 'automatic' | 'billing';
  readonly text: string;
}

interface SettingsProps {
  readonly wallet: WalletView;
  readonly saved: Saved | undefined;
  readonly onOpen: (opened: OpenedDialog) => void;
}

export function Settings({ wallet, saved, onOpen }: SettingsProps) {
  const { env, alert, automatic, billing, price } = wallet;
  const { name, address = [], tax_number, email } = billing ?? {};
  const message = (of: Saved['of']) => saved?.of === of && <Notice kind="success">{saved.text}</Notice>;
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
          {message('alert')}
          <div class="buttons">
            <Button about="Low-balance alert" onClick={() => onOpen('alert')}>
              Change
            </Button>
          </div>
        </section>
      )}
      {env === 'live' && (price || automatic) && (
        <Automatic automatic={automatic} message={message('automatic')} onOpen={onOpen} />
      )}
      <section class="card" aria-labelledby="billing">
        <h2 id="billing">Billing details</h2>
        {billing ? (
          <address>{[name, ...address, `Tax number: ${tax_number}`, email].join('\n')}</address>
        ) : (
          <p>Invoices show your name, address and tax number. You enter them with your first top-up.</p>
        )}
        {message('billing')}
        <div class="buttons">
          <Button about="Billing details" onClick={() => onOpen('billing')}>
            {billing ? 'Change' : 'Enter'}
          </Button>
        </div>
      </section>
    </div>
  );
}

interface AutomaticProps extends Pick<SettingsProps, 'onOpen'> {
  readonly automatic: AutomaticTopUpView | null;
  readonly message: ComponentChildren;
}

function Automatic({ automatic, message, onOpen }: AutomaticProps) {
  const hasCard = automatic !== null && automatic.card_order !== null;
  const isOff = automatic?.state === 'OFF';
  return (
    <section class="card" aria-labelledby="automatic">
      <h2 id="automatic">Automatic top-up</h2>
      {hasCard ? (
        <AutomaticState {...automatic} />
      ) : (
        <p>Off. A saved card can buy credits when few are left.</p>
      )}
      {message}
      {may('change-automatic-top-up') && (
        <div class="buttons">
          <Button about="Automatic top-up" onClick={() => onOpen('automatic')}>
            {hasCard ? (isOff ? 'Switch on' : 'Change') : 'Set up'}
          </Button>
          {hasCard && !isOff && (
            <Button about="Automatic top-up" onClick={() => onOpen('switch-off')}>
              Switch off
            </Button>
          )}
          {hasCard && (
            <Button kind="removal" about="Automatic top-up" onClick={() => onOpen('remove-card')}>
              Remove the card
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** Why no card is charged. */
const STOPPED: Readonly<Record<NonNullable<AutomaticTopUpView['stop_reason']>, string>> = {
  declined: 'the card was declined',
  unconfirmed: 'the bank asks for a confirmation: pay the open top-up',
  unknown: 'Paystack has not said whether the card was charged. If it was, the credits are still added',
  unreadable: 'the card must be saved again',
  paid_back: 'a purchase was refunded, disputed or charged back',
  not_sold: 'a price or your billing details are missing, or so many credits are not sold at once',
};

function AutomaticState(automatic: AutomaticTopUpView) {
  const { state, stop_reason, below, credits, monthly_limit_kobo, charged_kobo } = automatic;
  if (state === 'OFF') return <p>Off. The saved card: {cardName(automatic)}.</p>;
  return (
    <>
      {state === 'STOPPED' && (
        <p>
          <strong>Stopped</strong>: {stop_reason && STOPPED[stop_reason]}. Choose Change to start it again.
        </p>
      )}
      <p>
        When fewer than {formatNumber(below)} credits are left, the saved card pays for{' '}
        {formatNumber(credits)} credits.
      </p>
      <p>Card: {cardName(automatic)}.</p>
      <p class="hint">
        Charged this month: {formatNaira(charged_kobo)} of at most {formatNaira(monthly_limit_kobo)}, with
        VAT.
      </p>
    </>
  );
}
