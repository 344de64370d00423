import { type Attempt, type Delivery, type FailureReason, shownState } from '../delivery.ts';
import { type Endpoint, signingSecrets } from '../endpoint.ts';
import { EVENT_TYPES, type EventType } from '../event-type.ts';
import type { AttemptView, DeliveryView, WebhookView } from './views.ts';

/** The sentences are shorter than those in docs/guides/webhooks.md. */

const ABOUT: Readonly<Record<EventType, string>> = {
  'balance.low': 'The balance of the live wallet falls below your threshold.',
  'wallet.empty': 'The live wallet has no credits left.',
  'top_up.credited': 'The credits of a paid top-up are in the wallet.',
  'key.expiring':
    'An active API key that no rotation has replaced expires within 30 days. The event is sent again 7 days before the expiry.',
  'registry.down': 'Look-ups of an enabled service fail because no provider is available.',
  'registry.up': 'Look-ups of an enabled service work again.',
  'organisation.approved': 'Your organisation is approved for live access.',
};

/** The events that a member can choose. */
export const EVENT_TYPE_VIEWS = EVENT_TYPES.map((type) => ({ type, about: ABOUT[type] }));

export const REASONS: Readonly<Record<Exclude<FailureReason, 'HTTP_STATUS'>, string>> = {
  REDIRECT: 'The response was a redirect. Change the address of the endpoint to the one it redirects to.',
  GONE: 'The response had the status 410, so the endpoint was disabled. Enable it again if it should receive events.',
  TIMEOUT: 'No response arrived within 15 seconds. Respond before you process the event.',
  NAME_NOT_FOUND: 'The host name was not found. Check the DNS record.',
  ADDRESS_NOT_PERMITTED:
    'The host name resolves to an address that is not public, or only to IPv6 addresses. Use a server that the internet can reach over IPv4.',
  CONNECTION_REFUSED: 'The connection failed. Check the firewall and the server.',
  CONNECTION_LOST: 'The connection ended before a response arrived. Check the firewall and the server.',
  CERTIFICATE_EXPIRED: 'The certificate has expired. Renew it.',
  CERTIFICATE_NOT_YET_VALID: 'The certificate is not valid yet. Check its dates.',
  CERTIFICATE_WRONG_NAME:
    'The certificate is for another host name. Add the one in the address of the endpoint.',
  CERTIFICATE_NOT_TRUSTED:
    'The certificate is not from a publicly trusted authority, or the server does not send the intermediate certificates.',
  TLS_FAILED: 'The TLS handshake failed. Check that the port serves https with TLS 1.2 or 1.3.',
  NOT_HTTP: 'The response was not HTTP. Check the port.',
  INTERRUPTED: 'The attempt was interrupted on our side. Your server may have received the event.',
  NOT_ATTEMPTED: 'The next attempt is more than a day overdue. Resend the delivery.',
  ENDPOINT_DISABLED: 'The endpoint was disabled. Enable it, then resend the delivery.',
  ENDPOINT_DELETED: 'The endpoint was deleted.',
};

function reasonText(reason: FailureReason | undefined, status: number | undefined): string | null {
  if (reason === undefined) return null;
  if (reason !== 'HTTP_STATUS') return REASONS[reason];
  return `Your server responded ${status}.`;
}

/** `last`: its last delivery, if known. */
export function webhookView(row: Endpoint, nowMs: number, last?: Delivery): WebhookView {
  const [, old] = signingSecrets(row, nowMs);
  return {
    id: row.id,
    url: row.url,
    event_types: row.eventTypes,
    state: row.state === 'ENABLED' ? 'ENABLED' : 'DISABLED',
    disabled_because: row.disabledBecause ?? null,
    old_secret_until: old && row.previousSecret ? isoTime(row.previousSecret.untilMs) : null,
    last_delivery: last ? deliveryView(last, nowMs) : null,
  };
}

/** Returns a delivery as members see it. */
export function deliveryView(row: Delivery, nowMs: number): DeliveryView {
  const { state, reason } = shownState(row, nowMs);
  const isReceived = state === 'DELIVERED' && row.status !== undefined;
  return {
    id: row.id,
    event_type: row.eventType,
    state,
    reason_text: reasonText(isReceived ? 'HTTP_STATUS' : reason, row.status),
    attempts: row.attempts,
    created_at: row.createdAt,
    attempted_at: row.attemptedAt ?? null,
    is_in_progress: state === 'PENDING' && (row.attemptUntilMs ?? 0) > nowMs,
    next_at: state === 'PENDING' ? isoTime(row.dueMs) : null,
    body: row.body,
  };
}

/** Returns an attempt as members see it. */
export function attemptView({ number, at, durationMs, status, reason, text }: Attempt): AttemptView {
  return {
    number,
    at,
    duration_ms: durationMs,
    status: status ?? null,
    reason_text: reasonText(reason, status),
    response_text: text ?? null,
  };
}

const isoTime = (ms: number) => new Date(ms).toISOString();
