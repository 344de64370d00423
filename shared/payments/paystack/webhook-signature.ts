import { createHmac, timingSafeEqual } from 'node:crypto';
import { ENVIRONMENTS, type Environment } from '../../core/environment.ts';
import type { Secret } from '../../core/secrets.ts';

/** The name, in lower case, of the header in which Paystack sends the signature of a webhook. */
export const SIGNATURE_HEADER = 'x-paystack-signature';

/** Returns Paystack's signature of a body: HMAC-SHA512 with the secret key, in hexadecimal. */
export function paystackSignature(body: Uint8Array, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}

/**
 * Returns the environment whose key signed a webhook; undefined if neither did. `body` is the body as it arrived,
 * before it is parsed. Compares in constant time, and with both keys even if the first one matches. A missing key is
 * not used, because anyone can sign with an empty key. Nor is a key that belongs to the other mode.
 */
export function environmentOfSignature(
  body: Uint8Array,
  signature: string | undefined,
  keys: Secret,
): Environment | undefined {
  const given = Buffer.from(signature?.toLowerCase() ?? '', 'latin1');
  const matching = ENVIRONMENTS.filter((env) => {
    const key = keys[env] ?? '';
    if (!key.startsWith(`sk_${env}_`)) return false;
    const expected = Buffer.from(paystackSignature(body, key), 'latin1');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matching[0];
}
