import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { TopUpView } from '../../../../shared/payments/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { pageIn } from '../page-address.ts';
import { sharedTexts } from '../shared-texts.ts';
import { InvoiceLink } from './invoice-link.tsx';

const PROGRESS = {
  OPENED: {
    title: 'No payment has arrived yet',
    text: 'If you left the payment page, or the payment was declined, you can still pay. If you have paid, do not pay again: the credits are added when Paystack confirms the payment, usually within a few minutes.',
  },
  PAID: {
    title: 'The payment has arrived',
    text: 'The credits are being added to the wallet. This usually takes less than a minute.',
  },
  CREDITED: {
    title: 'The payment is complete',
    text: 'The credits are in the wallet. The invoice and the receipt are ready.',
  },
  FAILED: {
    title: 'The payment was not successful',
    text: 'No credits were added. Start a new top-up. If money has left your account, it is returned, or the credits are added when Paystack confirms the payment.',
  },
  EXPIRED: {
    title: 'The payment was not made in time',
    text: 'No credits were added. Start a new top-up. If you have paid, the credits are added when Paystack confirms the payment.',
  },
  MISMATCH: {
    title: 'The payment is being checked',
    text: 'The payment differs from the order or came too late, so no credits have been added yet. Keep the reference. You need not do anything else.',
  },
  REFUNDED: {
    title: 'The payment was refunded',
    text: 'The money is returned to the account that it was paid from.',
  },
} satisfies Record<TopUpView['state'], { readonly title: string; readonly text: string }>;

const PAUSE_MS = 3_000;
/** After this time, the page checks again only if the person asks for it. */
const LONGEST_MS = 120_000;
const WAITING: readonly TopUpView['state'][] = ['OPENED', 'PAID'];

const TONES = {
  OPENED: 'information',
  PAID: 'information',
  CREDITED: 'success',
  FAILED: 'error',
  EXPIRED: 'warning',
  MISMATCH: 'warning',
  REFUNDED: 'information',
} as const satisfies Record<TopUpView['state'], string>;

/** Reads an order every few seconds until the outcome of its payment is known or `LONGEST_MS` has passed. */
function useTopUp(env: Environment, reference: string) {
  const order = useSignal<TopUpView | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isAsking = useSignal(true);
  const round = useSignal(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const endMs = Date.now() + LONGEST_MS;
    const ask = async () => {
      const result = await get<TopUpView>(`/wallet/top-ups/${encodeURIComponent(reference)}?env=${env}`);
      if (!isCurrent) return;
      if (result.ok) order.value = result.data;
      problem.value = result.ok ? undefined : result.problem;
      const mayChange = result.ok ? WAITING.includes(result.data.state) : result.problem.isTemporary;
      isAsking.value = mayChange && Date.now() < endMs;
      if (isAsking.value) timer = setTimeout(ask, PAUSE_MS);
    };
    ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [env, reference, round.value]);
  const askAgain = () => {
    isAsking.value = true;
    round.value += 1;
  };
  return { order: order.value, problem: problem.value, isAsking: isAsking.value, askAgain };
}

interface TopUpProgressProps {
  readonly env: Environment;
  readonly reference: string;
  readonly onCredited: (order: TopUpView) => void;
  readonly onStart: () => void;
  /** Undefined if the member cannot set up automatic top-up, or has done so. */
  readonly onAutomatic: (() => void) | undefined;
}

export function TopUpProgress({ env, reference, onCredited, onStart, onAutomatic }: TopUpProgressProps) {
  const { order, problem, isAsking, askAgain } = useTopUp(env, reference);
  useEffect(() => {
    if (order?.state === 'CREDITED') onCredited(order);
  }, [order?.state]);
  return (
    <section class="progress" aria-label={`the top-up ${reference}`}>
      {order && (
        <div class={`notice ${TONES[order.state]}`} role="status">
          <h2>{PROGRESS[order.state].title}</h2>
          <p>{PROGRESS[order.state].text}</p>
          <p>
            {formatNumber(order.credits)} credits, {formatNaira(order.total_kobo)}
            <span class="small block">Reference: {reference}</span>
          </p>
          {isAsking && <p class="small">Checking again every few seconds…</p>}
        </div>
      )}
      {!order && !problem && <p class="loading">{sharedTexts.loading}</p>}
      <ProblemNotice problem={problem} />
      <div class="buttons">
        {order?.state === 'OPENED' && order.checkout_url && (
          <ButtonLink kind="primary" href={order.checkout_url}>
            Continue to pay
          </ButtonLink>
        )}
        {(order?.state === 'FAILED' || order?.state === 'EXPIRED') && (
          <Button kind="primary" onClick={onStart}>
            Start a new top-up
          </Button>
        )}
        {order?.state === 'CREDITED' && onAutomatic && (
          <Button onClick={onAutomatic}>Set up automatic top-up</Button>
        )}
        {!isAsking && order?.state !== 'CREDITED' && <Button onClick={askAgain}>Check again</Button>}
        {order?.invoice && (
          <InvoiceLink env={env} number={order.invoice}>
            Invoice (PDF)
          </InvoiceLink>
        )}
        {order?.receipt && (
          <InvoiceLink env={env} number={order.receipt}>
            Receipt (PDF)
          </InvoiceLink>
        )}
        <ButtonLink href={pageIn(env, '/wallet')}>Close</ButtonLink>
      </div>
    </section>
  );
}
