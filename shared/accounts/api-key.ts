import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { BASE62, randomBase62 } from '../core/base62.ts';
import { ENVIRONMENTS, type Environment } from '../core/environment.ts';

/**
 * API keys: `idv_live_` or `idv_test_`, 10 base62 characters that name the organisation, 32 random base62 characters,
 * and a 6-character base62 CRC-32 of everything before it (contract B2). Of the key itself, only its SHA-256 and its
 * last four characters are stored.
 */

const KEY_PATTERN = /^idv_(live|test)_([0-9A-Za-z]{10})[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

export const apiKey = v.object({
  organisationId: v.string(),
  /** SHA-256 of the key, hex. The key itself is not stored. */
  hash: v.string(),
  env: v.picklist(ENVIRONMENTS),
  status: v.picklist(['ACTIVE', 'REVOKED']),
  /** The customer's or the operator's name for the key, shown in statements and logs instead of the key. */
  label: v.string(),
  /** Its earlier labels, which its log rows from then still have. */
  formerLabels: v.optional(v.array(v.string())),
  lastFour: v.string(),
  createdAt: v.string(),
  /** The ID of the member who created the key in the console. Absent if an operator created it. */
  createdBy: v.optional(v.string()),
  /** ISO time after which the key is rejected: its expiry, or the end of the grace period of a rotation. */
  notAfter: v.optional(v.string()),
  /** ISO time of the rotation that replaced the key. The key still works until `notAfter`. */
  replacedAt: v.optional(v.string()),
  /** What the key may do. If absent: everything except payments (key-limits.ts). */
  scopes: v.optional(v.array(v.string())),
  /** Addresses and networks that its requests may come from; anywhere if absent. */
  addressRanges: v.optional(v.array(v.string())),
});
export type ApiKey = v.InferOutput<typeof apiKey>;

/** What events about a key need. */
export const observedKey = v.pick(apiKey, [
  'organisationId',
  'hash',
  'env',
  'status',
  'label',
  'lastFour',
  'notAfter',
  'replacedAt',
]);
export type ObservedKey = v.InferOutput<typeof observedKey>;

export interface ApiKeyText {
  readonly env: Environment;
  readonly organisationId: string;
  readonly hash: string;
}

/** Parses a key without a database read. Returns undefined if its form or checksum is wrong. */
export function readApiKeyText(text: string): ApiKeyText | undefined {
  const match = KEY_PATTERN.exec(text);
  const [env, organisationId, checksum] = match?.slice(1) ?? [];
  if (!env || !organisationId || checksum !== checksumOf(text.slice(0, -6))) return undefined;
  return { env: env as Environment, organisationId, hash: hashOf(text) };
}

/** Generates a key. It is shown once and not stored. */
export function newApiKeyText(env: Environment, organisationId: string): string {
  const body = `idv_${env}_${organisationId}${randomBase62(32)}`;
  return body + checksumOf(body);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether the key is active and not expired. Callers cannot tell a revoked key from an expired one (contract B5). */
export function isUsable(key: Pick<ApiKey, 'status' | 'notAfter'>, nowMs: number): boolean {
  return key.status === 'ACTIVE' && (key.notAfter === undefined || nowMs < Date.parse(key.notAfter));
}

const CRC_POLYNOMIAL = 0xedb88320;

/** Returns the CRC-32 as in gzip. Loading node:zlib for it would take a twentieth of a function's import time. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Returns the CRC-32 of the text as 6 base62 characters, most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < 6; position += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
