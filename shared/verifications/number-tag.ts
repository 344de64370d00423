import { createHmac, hkdfSync } from 'node:crypto';
import type { IdType } from '../core/id-types.ts';
import { type WalletId, walletName } from '../core/keys.ts';
import { isRcNumber, isVirtualNin } from '../core/numbers.ts';
import { currentPart, type Secret } from '../core/secrets.ts';

/**
 * Pseudonyms of numbers: HMAC-SHA-256 of type and number, truncated to 128 bits, under a key that HKDF derives from the
 * pepper for each organisation and environment. A plain hash would not be enough, because the SHA-256 hashes of all
 * 11-digit numbers can be computed in hours. The tag contains the pepper's version. See docs/design/ledger.md.
 */

const TAG_BYTES = 16;
const keys = new Map<string, Buffer>();

/** Returns the tag under the current pepper and, after a rotation, the tag under the previous one. */
export function numberTags(
  pepper: Secret,
  scope: WalletId,
  idType: IdType,
  number: string,
): [string, ...string[]] {
  return underEach(pepper, scope, `${isVirtualNin(number) ? 'VNIN' : idType}:${number}`);
}

/** Returns the tags of a number under every ID type that it has: a NIN or an RC number is a Tax ID too. */
export function tagsOfAllTypes(pepper: Secret, scope: WalletId, idType: IdType, number: string): string[] {
  const isRc = isRcNumber(number);
  const isTaxId = ['NIN', 'CAC', 'TIN'].includes(idType) && (isRc || /^[0-9]{11}$/.test(number));
  const types: readonly IdType[] = isTaxId ? [isRc ? 'CAC' : 'NIN', 'TIN'] : [idType];
  return types.flatMap((type) => numberTags(pepper, scope, type, number));
}

/**
 * Returns the idempotency fingerprints of a canonical request: HMACs under the same keys and in the same order as the
 * tags.
 */
export function fingerprints(pepper: Secret, scope: WalletId, canonical: string): [string, ...string[]] {
  return underEach(pepper, scope, `request:${canonical}`);
}

/** Returns the version of the pepper that made a tag or fingerprint. */
export function pepperVersion(tagOrFingerprint: string): string {
  return tagOrFingerprint.slice(0, tagOrFingerprint.indexOf('.'));
}

function underEach(pepper: Secret, scope: WalletId, text: string): [string, ...string[]] {
  const previous = pepper['previous'];
  return [
    tag(currentPart('PEPPER', pepper), scope, text),
    ...(previous === undefined ? [] : [tag(previous, scope, text)]),
  ];
}

function tag(pepper: string, scope: WalletId, text: string): string {
  const { version, key } = derivedKey(pepper, scope);
  const mac = createHmac('sha256', key).update(text).digest().subarray(0, TAG_BYTES);
  return `${version}.${mac.toString('base64url')}`;
}

/**
 * Returns the key of a scope and the version of the pepper. The version is derived from the pepper, so it changes with
 * the pepper and need not be stored.
 */
function derivedKey(pepper: string, scope: WalletId): { version: string; key: Buffer } {
  const name = walletName(scope);
  const derive = (info: string) => {
    const cached = keys.get(`${pepper}/${info}`);
    if (cached) return cached;
    const key = Buffer.from(hkdfSync('sha256', pepper, '', info, 32));
    if (keys.size > 1000) keys.clear();
    keys.set(`${pepper}/${info}`, key);
    return key;
  };
  return { version: derive('version').toString('hex').slice(0, 4), key: derive(name) };
}
