import type { PaymentsControl } from '../../infra/local/payments/control.ts';
import type { Transaction } from '../../infra/local/payments/transactions.ts';
import type { Delivery } from '../../infra/local/payments/webhooks.ts';

/**
 * Returns a client for the control API of the test double for Paystack. `url` is `payments.controlUrl` of
 * `service.json`.
 */
export function remotePayments(url: string): PaymentsControl {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = (await response.json()) as unknown;
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(content)}`);
    return content;
  };
  const of = (noun: string, reference: string) => `${noun}/${encodeURIComponent(reference)}`;
  return {
    setFault: async (reference, fault) => void (await call('PUT', of('faults', reference), fault)),
    setStopped: async (stopped) => void (await call('PUT', 'state', { stopped })),
    sendHeld: async (reference) => ((await call('POST', of('held', reference))) as { sent: number }).sent,
    sendWebhook: async (reference, signature) =>
      void (await call('POST', of('webhooks', reference), { signature })),
    advance: async (minutes) => void (await call('POST', 'clock', { minutes })),
    deliveries: async (reference) => (await call('GET', of('webhooks', reference))) as Delivery[],
    transactions: async () => (await call('GET', 'transactions')) as Transaction[],
  };
}
