import { SAMPLE_DATA } from '../../../shared/webhooks/event-sample.ts';
import type { webhookEvent as NewEvent, signWebhook as SignWebhook } from '../src/testing.ts';
import type { WebhookEvent } from '../src/webhooks.ts';

export const webhookEvent: typeof NewEvent = (type) => {
  if (!Object.hasOwn(SAMPLE_DATA, type)) throw new TypeError(`There is no event ${type}.`);
  const id = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const event = {
    id,
    type,
    timestamp: new Date().toISOString(),
    environment: 'live',
    data: SAMPLE_DATA[type],
  };
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
