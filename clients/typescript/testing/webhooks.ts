import type { webhookEvent as NewEvent, signWebhook as SignWebhook } from '../src/testing.ts';
import type { WebhookData, WebhookEvent } from '../src/webhooks.ts';

const DATA: WebhookData = {
  'balance.low': { available: 99, low_below: 100 },
  'wallet.empty': { available: 0, low_below: 100 },
  'top_up.credited': {
    reference: 'TOPUP-01KF0ZB7M0EXAMP1E00000000V',
    credits: 1000,
    invoice: 'IDV-2026-000041',
  },
  'key.expiring': {
    label: 'branch 12',
    last_four: 'wxyz',
    not_after: '2026-12-25T09:00:00.000Z',
    days_left: 30,
  },
  'registry.down': { id_type: 'NIN' },
  'registry.up': { id_type: 'NIN' },
  'organisation.approved': { organisation: 'kBDG57GjU9' },
  test: { message: 'This is a test.' },
};

export const webhookEvent: typeof NewEvent = (type) => {
  if (!Object.hasOwn(DATA, type)) throw new TypeError(`There is no event ${type}.`);
  const id = `evt_${crypto.randomUUID().replaceAll('-', '')}`;
  const event = { id, type, timestamp: new Date().toISOString(), environment: 'live', data: DATA[type] };
  return event as never;
};

export const signWebhook: typeof SignWebhook = async (
  eventOrBody,
  secret,
  { nowSeconds = Math.floor(Date.now() / 1000) } = {},
) => {
  const body = typeof eventOrBody === 'string' ? eventOrBody : JSON.stringify(eventOrBody);
  const id = (typeof eventOrBody === 'string' ? undefined : (eventOrBody as WebhookEvent).id) ?? 'evt_1';
  const bytes = Uint8Array.from(atob(secret.trim().replace(/^whsec_/, '')), (one) => one.charCodeAt(0));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign']);
  const signed = new TextEncoder().encode(`${id}.${nowSeconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(nowSeconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
  return { body, headers };
};
