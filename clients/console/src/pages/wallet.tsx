import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { AutomaticTopUpView, TopUpView, WalletView } from '../../../../shared/payments/console/views.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { useEnvironment } from '../environment.ts';
import { keptInput } from '../form.ts';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { formatNaira } from '../naira.ts';
import { may, session } from '../session.ts';
import { pageTitles } from '../shared-texts.ts';
import { Balance } from '../wallet/balance.tsx';
import { Documents } from '../wallet/documents.tsx';
import { Lots } from '../wallet/lots.tsx';
import { FORMS, type OpenedDialog } from '../wallet/opened-dialog.ts';
import { type Saved, Settings } from '../wallet/settings.tsx';
import { TopUpProgress } from '../wallet/top-up-progress.tsx';
import { TopUps } from '../wallet/top-ups.tsx';
import { WalletDialogs } from '../wallet/wallet-dialogs.tsx';
import './wallet.css';

export default function Wallet() {
  const env = useEnvironment();
  const { top_up } = useRoute().query;
  const data = useData<WalletView>(`/wallet?env=${env}`);
  const opened = useSignal<OpenedDialog | undefined>(undefined);
  const saved = useSignal<Saved | undefined>(undefined);
  const state = data.state.value;
  const open = (next: OpenedDialog | undefined) => {
    if (next) saved.value = undefined;
    opened.value = next;
  };
  const credited = ({ reference }: TopUpView) => {
    const known = state.is === 'loaded' ? state.value.top_ups : [];
    if (!known.some((order) => order.reference === reference && order.state === 'CREDITED')) data.reload();
  };
  const isSuspended = session.value?.organisation?.status === 'SUSPENDED';
  const canBuy = state.is === 'loaded' && state.value.price !== null && !isSuspended;
  const canAutomate =
    canBuy && env === 'live' && !state.value.automatic?.card_order && may('change-automatic-top-up');
  // After a top-up, the card with the setting is far below.
  const isSavedAbove = top_up !== undefined && saved.value?.of === 'automatic';
  return (
    <Page
      title={pageTitles.wallet}
      lead="The credits of your organisation, and what it has paid for them."
      action={
        canBuy && (
          <Button kind={top_up ? 'plain' : 'primary'} onClick={() => open('top-up')}>
            Top up
          </Button>
        )
      }
    >
      {isSavedAbove && <Notice kind="success">{saved.value?.text}</Notice>}
      {top_up && (
        <TopUpProgress
          key={`${env} ${top_up}`}
          env={env}
          reference={top_up}
          onCredited={credited}
          onStart={() => open('top-up')}
          onAutomatic={canAutomate ? () => open('automatic') : undefined}
        />
      )}
      <Data data={data}>
        {(wallet) => (
          <>
            <Content wallet={wallet} saved={isSavedAbove ? undefined : saved.value} onOpen={open} />
            <WalletDialogs
              wallet={wallet}
              opened={opened.value}
              onTopUp={canBuy ? () => open('top-up') : undefined}
              onSaved={(change) => {
                data.replace({ ...wallet, ...change });
                // A first top-up goes on after the billing details.
                if (opened.value !== 'top-up') saved.value = savedOf(change);
              }}
              onClose={() => open(undefined)}
            />
          </>
        )}
      </Data>
    </Page>
  );
}

function savedOf({ alert, automatic }: Partial<WalletView>): Saved {
  if (automatic) return { of: 'automatic', text: savedText(automatic) };
  if (alert) return { of: 'alert', text: 'The low-balance alert was changed.' };
  return { of: 'billing', text: 'The billing details were saved.' };
}

function savedText({ state, card_order, below, credits, monthly_limit_kobo }: AutomaticTopUpView): string {
  if (state !== 'ON')
    return `Automatic top-up is off. The card ${card_order ? 'stays saved' : 'was removed'}.`;
  return `Automatic top-up is on: below ${formatNumber(below)} credits, the card pays for ${formatNumber(credits)} more, for at most ${formatNaira(monthly_limit_kobo)} a month.`;
}

interface ContentProps {
  readonly wallet: WalletView;
  readonly saved: Saved | undefined;
  readonly onOpen: (opened: OpenedDialog) => void;
}

function Content({ wallet, saved, onOpen }: ContentProps) {
  useEffect(() => reopen(wallet, onOpen), []);
  return (
    <div class="stack">
      {wallet.price === null && (
        <Notice kind="information">You cannot buy credits here yet. Contact support.</Notice>
      )}
      <Balance wallet={wallet} />
      <TopUps topUps={wallet.top_ups} />
      <Documents key={wallet.env} wallet={wallet} />
      <Lots lots={wallet.lots} />
      <Settings wallet={wallet} saved={saved} onOpen={onOpen} />
    </div>
  );
}

/**
 * Reopens the dialog that was open before the person signed in again. A first top-up begins with the billing details.
 */
function reopen({ billing }: WalletView, onOpen: (opened: OpenedDialog) => void): void {
  if (keptInput(FORMS['top-up'])) onOpen('top-up');
  if (keptInput(FORMS.billing)) onOpen(billing ? 'billing' : 'top-up');
  if (keptInput(FORMS.alert)) onOpen('alert');
  for (const one of ['automatic', 'switch-off', 'remove-card'] as const)
    if (keptInput(FORMS[one])) onOpen(one);
}
