import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  type Endpoint,
  ROTATION_MS,
  rotatedEndpoint,
  signingSecrets,
} from '../../../shared/webhooks/endpoint.ts';
import {
  endpointSecret,
  masterIdOf,
  signatureOf,
  signedHeaders,
} from '../../../shared/webhooks/signature.ts';

/** Webhook signatures, and the secrets that create them. */

const MASTERS = { current: 'master secret one' };
const ENDPOINT: Endpoint = {
  id: 'hook_0123456789abcdef',
  organisationId: 'ORG0000001',
  env: 'live',
  url: 'https://hooks.example.com/',
  eventTypes: ['balance.low'],
  state: 'ENABLED',
  secret: { version: 1, master: masterIdOf(MASTERS.current) },
  createdAt: '2026-11-25T09:00:00.000Z',
  version: 1,
};
const MESSAGE = { id: 'evt_1', timestamp: 1_764_061_200, body: '{"type":"test"}' };
const secretOf = (row: Endpoint, secret = row.secret) => endpointSecret(row, secret, MASTERS);

describe('a webhook signature', () => {
  test('agrees with the test vector of the reference libraries', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signatureOf(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  test('of the guide was made with the secret of the guide', () => {
    const page = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
    const [, head = '', body = ''] = /```http\n(.*?)\n\n(.*?)\n```/s.exec(page) ?? [];
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
    const [secret = ''] = /whsec_\w+=/.exec(page) ?? [];
    const message = { id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], body };
    expect(signatureOf(message, secret)).toBe(headers['webhook-signature']);
    expect(JSON.parse(body).id).toBe(message.id);
  });

  test('S94: an event that is forged, or sent again to another endpoint or at another time', () => {
    const secret = secretOf(ENDPOINT);
    const changed = [{ id: 'evt_2' }, { timestamp: MESSAGE.timestamp + 1 }, { body: '{"type":"tesT"}' }];
    const signatures = [MESSAGE, ...changed.map((one) => ({ ...MESSAGE, ...one }))].map((one) =>
      signatureOf(one, secret),
    );
    const elsewhere = signatureOf(MESSAGE, secretOf({ ...ENDPOINT, id: 'hook_0123456789abcde0' }));
    expect(new Set([...signatures, elsewhere]).size).toBe(5);
  });

  test('is sent once for each secret, with the ID and the time that it covers', () => {
    const secrets = [secretOf(ENDPOINT), secretOf(ENDPOINT, { ...ENDPOINT.secret, version: 2 })];
    expect(signedHeaders(MESSAGE, secrets)).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1764061200',
      'webhook-signature': secrets.map((secret) => signatureOf(MESSAGE, secret)).join(' '),
    });
  });
});

describe('a webhook secret', () => {
  test('has 32 bytes in the format of the standard', () => {
    expect(secretOf(ENDPOINT)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secretOf(ENDPOINT)).toBe(secretOf({ ...ENDPOINT, url: 'https://other.example.com/' }));
  });

  test('differs by endpoint, organisation, environment, version and master secret', () => {
    const others = [
      secretOf(ENDPOINT),
      secretOf({ ...ENDPOINT, id: 'hook_0123456789abcde0' }),
      secretOf({ ...ENDPOINT, organisationId: 'ORG0000002' }),
      secretOf({ ...ENDPOINT, env: 'test' }),
      secretOf(ENDPOINT, { ...ENDPOINT.secret, version: 2 }),
      endpointSecret(ENDPOINT, { version: 1, master: masterIdOf('other') }, { current: 'other' }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  test('stays the same while its master secret is the previous one, and cannot be derived after that', () => {
    const rotated = { current: 'master secret two', previous: MASTERS.current };
    expect(endpointSecret(ENDPOINT, ENDPOINT.secret, rotated)).toBe(secretOf(ENDPOINT));
    expect(() => endpointSecret(ENDPOINT, ENDPOINT.secret, { current: 'master secret two' })).toThrow(
      'The master secret of a webhook endpoint is no longer known.',
    );
  });
});

describe('a rotation of the secret', () => {
  const nowMs = Date.parse('2026-11-25T10:00:00Z');
  const rotated = rotatedEndpoint(ENDPOINT, ENDPOINT.secret.master, nowMs);

  test('makes both secrets sign for 24 hours, the new one first', () => {
    expect(signingSecrets(rotated, nowMs).map(({ version }) => version)).toEqual([2, 1]);
    expect(signingSecrets(rotated, nowMs + ROTATION_MS - 1).map(({ version }) => version)).toEqual([2, 1]);
    expect(signingSecrets(rotated, nowMs + ROTATION_MS).map(({ version }) => version)).toEqual([2]);
  });

  test('within 24 hours of another stops the oldest secret from signing', () => {
    const again = rotatedEndpoint(rotated, ENDPOINT.secret.master, nowMs + 1);
    expect(signingSecrets(again, nowMs + 1).map(({ version }) => version)).toEqual([3, 2]);
  });
});
