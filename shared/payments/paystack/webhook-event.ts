import * as v from 'valibot';
import { parseExactJson } from '../../core/exact-json.ts';
import { isGeneratedReference } from '../orders/order-reference.ts';
import { webhookBody } from './paystack-schemas.ts';

/** The parts of a Paystack event that are used: its kind, and the order to ask about. */
interface WebhookEvent {
  /** Such as `charge.success`. */
  readonly kind: string;
  readonly reference: string;
}

/**
 * Reads the body of a webhook whose signature was checked. Returns undefined if it is not about an order: Paystack
 * sends events of many kinds, and would repeat an unknown one for 72 hours if it were rejected.
 */
export function readWebhookEvent(body: Uint8Array): WebhookEvent | undefined {
  const parsed = v.safeParse(webhookBody, jsonOf(body));
  if (!parsed.success) return undefined;
  const { event: kind, data } = parsed.output;
  if (!/^(charge|refund)\./.test(kind)) return undefined;
  const reference = data.reference ?? data.transaction_reference ?? data.transaction?.reference ?? '';
  // Events may also be about other objects of the same account, such as transfers.
  return isGeneratedReference(reference) ? { kind, reference } : undefined;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
