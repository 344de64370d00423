import type { Information } from '../../http/result.ts';
import type { QuoteDependencies } from '../dependencies.ts';
import { orderNow, type TopUpOrder } from '../orders/order.ts';

/** Without `problem`, which is for the operator. */
export function topUpView(
  stored: TopUpOrder,
  { settings, clock }: Pick<QuoteDependencies, 'settings' | 'clock'>,
): Information {
  const order = orderNow(stored, clock.nowMs(), settings);
  return {
    kind: 'information',
    code: 'WALLET_TOP_UP',
    message: 'Top-up.',
    data: {
      environment: order.env,
      reference: order.reference,
      state: order.state,
      credits: order.credits,
      kobo_per_credit: order.koboPerCredit,
      net_kobo: order.netKobo,
      vat_kobo: order.vatKobo,
      total_kobo: order.totalKobo,
      currency: order.currency,
      checkout_url: order.checkoutUrl ?? null,
      opened_at: order.openedAt,
      expires_at: order.expiresAt,
      credited_at: order.creditedAt ?? null,
      invoice: order.invoice ?? null,
      receipt: order.receipt ?? null,
    },
  };
}
