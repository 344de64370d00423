import { createHmac, timingSafeEqual } from 'node:crypto';
import { ENVIRONMENTS, type Environment } from '../../core/environment.ts';
import type { Secret } from '../../core/secrets.ts';

/** In lower case. */
export const SIGNATURE_HEADER = 'x-paystack-signature';

/** HMAC-SHA512 with the secret key, in hexadecimal. */
export function paystackSignature(body: Uint8Array, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}

/**
 * Undefined if neither key signed the body as it arrived. Compares in constant time, with both keys. A missing key is
 * not used, because anyone can sign with an empty one; nor is a key of the other mode.
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
