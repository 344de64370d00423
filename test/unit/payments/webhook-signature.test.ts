import { describe, expect, test } from '@jest/globals';
import {
  environmentOfSignature,
  paystackSignature,
} from '../../../shared/payments/paystack/webhook-signature.ts';
import { PAYSTACK_FIXTURES } from '../../support/payments/paystack-fixtures.ts';

const KEYS = { live: 'sk_live_0000000000000001', test: 'sk_test_0000000000000001' };
const BODY = Buffer.from('{"event":"charge.success","data":{"reference":"TOPUP-1"}}');

const signatureOf = (key: string, body: Uint8Array = BODY) => paystackSignature(body, key);

describe('The signature of a webhook', () => {
  test('is the HMAC-SHA512 of the body in hexadecimal', () => {
    // RFC 4231, test case 2. cspell:ignore Jefe
    expect(paystackSignature(Buffer.from('what do ya want for nothing?'), 'Jefe')).toBe(
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    );
  });

  test.each(['live', 'test'] as const)('identifies the environment of the key that made it: %s', (env) => {
    expect(environmentOfSignature(BODY, signatureOf(KEYS[env]), KEYS)).toBe(env);
    expect(environmentOfSignature(BODY, signatureOf(KEYS[env]).toUpperCase(), KEYS)).toBe(env);
  });

  test.each(
    PAYSTACK_FIXTURES.filter(({ name }) => name.startsWith('webhook.')).map((one) => [one.name, one.body]),
  )('is accepted for every published body: %s', (_, body) => {
    const bytes = Buffer.from(JSON.stringify(body, null, 2));
    expect(environmentOfSignature(bytes, signatureOf(KEYS.live, bytes), KEYS)).toBe('live');
    const written = Buffer.from(JSON.stringify(body));
    expect(environmentOfSignature(written, signatureOf(KEYS.live, bytes), KEYS)).toBeUndefined();
  });

  const valid = signatureOf(KEYS.live);
  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is too short', valid.slice(0, -1)],
    ['is too long', `${valid}0`],
    ['has one different digit', `${valid.slice(0, -1)}${valid.endsWith('0') ? '1' : '0'}`],
    ['is in base64', Buffer.from(valid, 'hex').toString('base64')],
    ['contains characters outside Latin-1', '\u0430'.repeat(128)],
    ['is made with a different key', signatureOf('sk_live_0000000000000002')],
    ['is made with an empty key', signatureOf('')],
    ['belongs to a different body', signatureOf(KEYS.live, Buffer.from('{}'))],
  ])('is rejected if it %s', (_, signature) => {
    expect(environmentOfSignature(BODY, signature, KEYS)).toBeUndefined();
  });

  test.each([
    ['there is no key', {}],
    ['the keys are empty', { live: '', test: '' }],
  ])('is rejected if %s, even if it is made with an empty key', (_, keys) => {
    expect(environmentOfSignature(BODY, signatureOf(''), keys)).toBeUndefined();
  });

  test('does not yield a live event if the test key is stored as the live key', () => {
    const swapped = { live: KEYS.test, test: KEYS.test };
    expect(environmentOfSignature(BODY, signatureOf(KEYS.test), swapped)).toBe('test');
  });
});
