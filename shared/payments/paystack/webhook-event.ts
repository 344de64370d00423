import * as v from 'valibot';
import { parseExactJson } from '../../core/exact-json.ts';
import { isGeneratedReference } from '../orders/order-reference.ts';
import { webhookBody } from './paystack-schemas.ts';

interface WebhookEvent {
  /** Such as `charge.success`. */
  readonly kind: string;
  readonly reference: string;
}

/**
 * The signature was checked. Undefined if the event is not about an order: Paystack would repeat a rejected one for 72
 * hours.
 */
export function readWebhookEvent(body: Uint8Array): WebhookEvent | undefined {
  const parsed = v.safeParse(webhookBody, jsonOf(body));
  if (!parsed.success) return undefined;
  const { event: kind, data } = parsed.output;
  if (!/^(charge|refund)\./.test(kind)) return undefined;
  const reference = data.reference ?? data.transaction_reference ?? data.transaction?.reference ?? '';
  // Or about transfers of the same account.
  return isGeneratedReference(reference) ? { kind, reference } : undefined;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
