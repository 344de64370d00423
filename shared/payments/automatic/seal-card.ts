import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { acceptedKeys, currentPart, type Secret } from '../../core/secrets.ts';
import type { SavedCard } from '../paystack/payment-provider.ts';

/**
 * AES-256-GCM under a key that HKDF derives from the card key. The organisation is authenticated too, so that a sealed
 * card works in no other organisation's row.
 */

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const savedCard = v.object({ authorisationCode: v.string(), email: v.string() });

const keyOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'identity-verification', 'saved card', 32));

/** Returns base64url text: IV, tag, ciphertext. */
export function sealCard(card: SavedCard, organisationId: string, keys: Secret): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(currentPart('CARDS', keys)), iv);
  cipher.setAAD(Buffer.from(organisationId));
  const text = Buffer.concat([cipher.update(JSON.stringify(card), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Undefined if neither the current nor the previous key sealed it for this organisation. */
export function openCard(sealed: string, organisationId: string, keys: Secret): SavedCard | undefined {
  for (const key of acceptedKeys(keys)) {
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const textStart = IV_BYTES + TAG_BYTES;
      const decipher = createDecipheriv(ALGORITHM, keyOf(key), bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(organisationId));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, textStart));
      const text = Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]);
      return v.parse(savedCard, JSON.parse(text.toString('utf8')));
    } catch {
      // Another key, or another row.
    }
  }
  return undefined;
}
