import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SLIP_TYPES, type SlipType } from '../core/slip-types.ts';

/**
 * The signed token in a slip's QR code: slip type, times and a reference. It contains no digits of the number and no
 * name, and is not stored (decision A3). It has 32 bytes, to keep the QR code coarse enough to scan from paper:
 *
 * | bytes | content |
 * |---|---|
 * | 1 | key mark: identifies the key that signed, so that keys can be rotated |
 * | 1 | slip type (0, 1 or 2), plus 128 for a specimen |
 * | 4 | issued, seconds since 1970 |
 * | 4 | expires, seconds since 1970 |
 * | 6 | reference |
 * | 16 | HMAC-SHA-256 of all bytes before, truncated to 128 bits |
 */

export interface SlipFacts {
  readonly slipType: SlipType;
  /** Truncated to whole seconds. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** The 12 random hex characters of the request ID in lower case. The slip shows the request ID too. */
  readonly reference: string;
  /** True if the slip was made with a test key, from invented data. */
  readonly specimen: boolean;
}

export type SlipCheck =
  | { readonly kind: 'valid' | 'expired'; readonly facts: SlipFacts }
  | { readonly kind: 'invalid' };

const PURPOSE = 'slip-check.v1';
const SIGNED_LENGTH = 16;
const LENGTH = 32;
const TEXT = /^[A-Za-z0-9_-]{43}$/;
const REFERENCE = /^[0-9a-f]{12}$/;
const SPECIMEN = 0x80;

function keyMark(key: string): number {
  return createHash('sha256').update(PURPOSE).update(key).digest().readUInt8(0);
}

function sign(signed: Buffer, key: string): Buffer {
  return createHmac('sha256', key)
    .update(PURPOSE)
    .update(signed)
    .digest()
    .subarray(0, LENGTH - SIGNED_LENGTH);
}

/** Returns the token as 43 URL-safe characters. Throws if the reference is not 12 lower-case hex characters. */
export function createSlipToken(facts: SlipFacts, key: string): string {
  if (!REFERENCE.test(facts.reference))
    throw new Error('The slip reference must be 12 lower-case hex characters.');
  const signed = Buffer.alloc(SIGNED_LENGTH);
  signed.writeUInt8(keyMark(key), 0);
  signed.writeUInt8(SLIP_TYPES.indexOf(facts.slipType) + (facts.specimen ? SPECIMEN : 0), 1);
  signed.writeUInt32BE(Math.floor(facts.issuedAt.getTime() / 1000), 2);
  signed.writeUInt32BE(Math.floor(facts.expiresAt.getTime() / 1000), 6);
  signed.write(facts.reference, 10, 'hex');
  return Buffer.concat([signed, sign(signed, key)]).toString('base64url');
}

function readFacts(signed: Buffer): SlipFacts | undefined {
  const kind = signed.readUInt8(1);
  const slipType = SLIP_TYPES[kind % SPECIMEN];
  if (slipType === undefined) return undefined;
  return {
    slipType,
    issuedAt: new Date(signed.readUInt32BE(2) * 1000),
    expiresAt: new Date(signed.readUInt32BE(6) * 1000),
    reference: signed.toString('hex', 10, SIGNED_LENGTH),
    specimen: kind >= SPECIMEN,
  };
}

/** Checks a token against all accepted keys: the current one and those before it. */
export function readSlipToken(token: string, keys: readonly string[], now: Date): SlipCheck {
  if (!TEXT.test(token)) return { kind: 'invalid' };
  const bytes = Buffer.from(token, 'base64url');
  // 43 Base64 characters hold two more bits than 32 bytes, so only the canonical encoding is accepted.
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return { kind: 'invalid' };
  const signed = bytes.subarray(0, SIGNED_LENGTH);
  const signature = bytes.subarray(SIGNED_LENGTH);
  const isGenuine = keys
    .filter((key) => keyMark(key) === signed.readUInt8(0))
    .some((key) => timingSafeEqual(sign(signed, key), signature));
  const facts = isGenuine ? readFacts(signed) : undefined;
  if (facts === undefined) return { kind: 'invalid' };
  return { kind: now.getTime() < facts.expiresAt.getTime() ? 'valid' : 'expired', facts };
}

/** Returns the address that the QR code opens. `baseUrl` is HTTPS and contains no path after the stage. */
export function slipCheckUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/v1/slips/check/${token}`;
}
