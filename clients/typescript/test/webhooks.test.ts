import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import vectors from '../../webhook-vectors.json' with { type: 'json' };
import { verifyWebhook, WebhookError, type WebhookEvent } from '../src/index.ts';

/** The signatures of webhooks. The Python client passes the same cases. */

interface Case {
  readonly name: string;
  readonly secrets?: readonly string[];
  readonly id?: string;
  readonly timestamp?: string;
  readonly body?: string;
  readonly signature?: string;
  /** The part of the request that each header contains (`id`, `timestamp` or `signature`), by the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the time of the vector */
  readonly nowSeconds?: number;
  /** Why the request must be rejected. */
  readonly reason?: string;
}

const HEADERS = { 'webhook-id': 'id', 'webhook-timestamp': 'timestamp', 'webhook-signature': 'signature' };

function requestOf(example: Case) {
  const { id, timestamp, signature, body } = { ...vectors, ...example };
  const parts: Readonly<Record<string, string>> = { id, timestamp, signature };
  const names = Object.entries(example.headers ?? HEADERS);
  const headers = Object.fromEntries(names.map(([name, part]) => [name, parts[part]]));
  const now = new Date((example.nowSeconds ?? Number(vectors.timestamp)) * 1000);
  return { body, headers, secrets: example.secrets ?? [vectors.secret], now };
}

/** Returns the event, or the reason for the error. */
async function resultOf(check: Promise<WebhookEvent>): Promise<unknown> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

describe('the signature of a webhook', () => {
  const cases: readonly Case[] = vectors.cases;

  test.each(cases)('$name', async (example) => {
    const { body, headers, secrets, now } = requestOf(example);
    const expected = example.reason ?? JSON.parse(vectors.body);
    for (const form of [body, Buffer.from(body)]) {
      expect(await resultOf(verifyWebhook(form, headers, secrets, { now }))).toEqual(expected);
      expect(await resultOf(verifyWebhook(form, new Headers(headers as never), secrets, { now }))).toEqual(
        expected,
      );
    }
  });

  test('is found in headers of any form', async () => {
    const { body, headers, now } = requestOf({ name: '' });
    const entries = Object.entries(headers) as [string, string][];
    const capitals = entries.map(([name, value]) => [name.toUpperCase(), value] as const);
    const other = { get: (name: string) => headers[name] ?? null };
    const lists = Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
    for (const form of [other, lists, entries, capitals, new Map(entries), new Map(capitals)])
      expect(await verifyWebhook(body, form, vectors.secret, { now })).toEqual(JSON.parse(body));
    const twice = { ...headers, 'webhook-id': ['a', 'b'] } as never;
    expect(await resultOf(verifyWebhook(body, twice, vectors.secret, { now }))).toBe('missing_header');
  });

  test('is checked for bytes of any form, and under a secret with white space around it', async () => {
    const { body, headers, now } = requestOf({ name: '' });
    const bytes = new Uint8Array(Buffer.from(`  ${body}`)).subarray(2);
    for (const form of [bytes, bytes.slice().buffer, new DataView(bytes.buffer, 2)])
      expect(await verifyWebhook(form as never, headers as never, ` ${vectors.secret}\r\n`, { now })).toEqual(
        JSON.parse(body),
      );
  });

  test.each([[JSON.parse(vectors.body)], [null], [undefined], [[1, 2]]])(
    'cannot be checked for the parsed body %j',
    async (body) => {
      const { headers, now } = requestOf({ name: '' });
      await expect(verifyWebhook(body as never, headers as never, vectors.secret, { now })).rejects.toThrow(
        new TypeError('Pass the raw body of the request, as received before any parser: a string or bytes.'),
      );
      await expect(verifyWebhook('{}', null as never, vectors.secret)).rejects.toThrow(
        'Pass the headers of the request.',
      );
    },
  );

  test('is accepted if the reference library made it', async () => {
    const now = new Date();
    const body = JSON.stringify({ type: 'test', data: { message: 'Ọ̀ṣun' } });
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(vectors.secret).sign('evt_1', now, body),
    };
    expect(new Webhook(vectors.secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, headers, vectors.secret)).toEqual(JSON.parse(body));
  });

  test('is not enough if the body is not JSON', async () => {
    const key = Buffer.from(vectors.secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`id.${vectors.timestamp}.{`).digest('base64');
    const headers = {
      'webhook-id': 'id',
      'webhook-timestamp': vectors.timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const now = new Date(Number(vectors.timestamp) * 1000);
    expect(await resultOf(verifyWebhook('{', headers, vectors.secret, { now }))).toBe('not_json');
  });
});

test.each([[''], ['whsec_'], ['whsec_***']])('the malformed secret %j throws an error', async (secret) => {
  await expect(verifyWebhook('{}', {}, secret)).rejects.toThrow('The secret is not the text');
});

test('without a secret, nothing is accepted', async () => {
  await expect(verifyWebhook('{}', {}, [])).rejects.toThrow(TypeError);
});

test('an error contains neither the secret nor the body', async () => {
  const { body, headers, now } = requestOf({ name: '', body: 'CANARY' });
  const error = await verifyWebhook(body, headers, vectors.secret, { now }).catch((one) => one);
  expect(error).toMatchObject({ name: 'WebhookError', reason: 'wrong_signature' });
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/CANARY|MfKQ9r8G/);
});

/** The compiler knows `data` from the type of the event. */
export function amount(event: WebhookEvent): number | string {
  switch (event.type) {
    case 'top_up.credited':
      return event.data.credits;
    case 'key.expiring':
      return event.data.label;
    default:
      // @ts-expect-error Other events have no credits.
      return event.data.credits;
  }
}
