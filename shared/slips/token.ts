import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SLIP_TYPES, type SlipType } from '../core/slip-types.ts';
import type { SlipDetails } from './canonical-details.ts';
import {
  COMMITMENTS_LENGTH,
  commitTo,
  compareDetails,
  type DetailsComparison,
  nameOfAttempts,
  type TypedDetails,
} from './commitments.ts';
import { nameOfWithdrawal } from './withdrawn-table.ts';

/**
 * The signed token in a slip's QR code: slip type, times, a reference, and two keyed commitments to the details on the
 * slip. It contains no digits of the number and no name, and is not stored (contract A3). It is only 48 bytes long, to
 * keep the QR code coarse enough to scan from paper:
 *
 * | bytes | content |
 * |---|---|
 * | 1 | key mark: identifies the signing key, so that keys can be rotated |
 * | 1 | slip type (0, 1 or 2), plus 128 for a specimen, plus 64 if the slip shows "Details confirmed" or else 32 |
 * | 4 | issued, seconds since 1970 |
 * | 4 | expires, seconds since 1970 |
 * | 6 | reference |
 * | 8 | commitment to the number and the surname |
 * | 8 | commitment to the number, the given names and the date of birth |
 * | 16 | HMAC-SHA-256 of all earlier bytes, truncated to 128 bits |
 *
 * A token of version 1 is 32 bytes long and contains no commitments. Slips made before December 2026 contain such a
 * token, and are accepted until they expire. The first tokens of version 2 do not say whether details were confirmed.
 */

export interface SlipFacts {
  readonly slipType: SlipType;
  /** Truncated to whole seconds. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** The 12 random hex characters of the request ID in lower case. The slip also shows the request ID. */
  readonly reference: string;
  /** True if the slip was made with a test key, from invented data. */
  readonly specimen: boolean;
  /** Whether the slip shows "Details confirmed". Undefined for tokens that do not say so. */
  readonly detailsConfirmed?: boolean | undefined;
}

export interface SlipProof {
  readonly attemptsName: string;
  readonly compare: (typed: TypedDetails) => DetailsComparison;
}

/** A token as its bytes prove it. Its slip may have been withdrawn. */
export type ReadToken =
  | {
      readonly kind: 'valid' | 'expired';
      readonly facts: SlipFacts;
      /** Names the row that exists if the slip was withdrawn. */
      readonly withdrawalName: string;
      /** Undefined for tokens of version 1. */
      readonly proof?: SlipProof;
    }
  | { readonly kind: 'invalid' };

/** How a token version is signed. The text of a token has 4 characters for every 3 bytes, without padding. */
interface Version {
  readonly purpose: string;
  readonly text: RegExp;
  readonly signedLength: number;
}

const START_LENGTH = 16;
const SIGNATURE_LENGTH = 16;
const WITHOUT_PROOF: Version = {
  purpose: 'slip-check.v1',
  text: /^[A-Za-z0-9_-]{43}$/,
  signedLength: START_LENGTH,
};
const WITH_PROOF: Version = {
  purpose: 'slip-check.v2',
  text: /^[A-Za-z0-9_-]{64}$/,
  signedLength: START_LENGTH + COMMITMENTS_LENGTH,
};
const REFERENCE = /^[0-9a-f]{12}$/;
const SPECIMEN = 0x80;
const CONFIRMED = 0x40;
const NOT_CONFIRMED = 0x20;

function keyMark(key: string): number {
  return createHash('sha256').update(WITHOUT_PROOF.purpose).update(key).digest().readUInt8(0);
}

function sign(signed: Buffer, key: string, { purpose }: Version): Buffer {
  return createHmac('sha256', key).update(purpose).update(signed).digest().subarray(0, SIGNATURE_LENGTH);
}

/** Returns the token as 64 URL-safe characters. Throws if the reference is not 12 lower-case hex characters. */
export function createSlipToken(facts: SlipFacts, details: SlipDetails, key: string): string {
  const start = startOf(facts, key);
  const signed = Buffer.concat([start, commitTo(details, start, key)]);
  return Buffer.concat([signed, sign(signed, key, WITH_PROOF)]).toString('base64url');
}

function startOf(facts: SlipFacts, key: string): Buffer {
  if (!REFERENCE.test(facts.reference))
    throw new Error('The slip reference must be 12 lower-case hex characters.');
  const start = Buffer.alloc(START_LENGTH);
  start.writeUInt8(keyMark(key), 0);
  start.writeUInt8(kindOf(facts), 1);
  start.writeUInt32BE(Math.floor(facts.issuedAt.getTime() / 1000), 2);
  start.writeUInt32BE(Math.floor(facts.expiresAt.getTime() / 1000), 6);
  start.write(facts.reference, 10, 'hex');
  return start;
}

function kindOf({ slipType, specimen, detailsConfirmed }: SlipFacts): number {
  const confirmation = detailsConfirmed === undefined ? 0 : detailsConfirmed ? CONFIRMED : NOT_CONFIRMED;
  return SLIP_TYPES.indexOf(slipType) + confirmation + (specimen ? SPECIMEN : 0);
}

function readFacts(start: Buffer): SlipFacts | undefined {
  const kind = start.readUInt8(1);
  const slipType = SLIP_TYPES[kind % NOT_CONFIRMED];
  const confirmation = kind & (CONFIRMED | NOT_CONFIRMED);
  if (slipType === undefined) return undefined;
  return {
    slipType,
    issuedAt: new Date(start.readUInt32BE(2) * 1000),
    expiresAt: new Date(start.readUInt32BE(6) * 1000),
    reference: start.toString('hex', 10, START_LENGTH),
    specimen: kind >= SPECIMEN,
    ...(confirmation !== 0 && { detailsConfirmed: confirmation === CONFIRMED }),
  };
}

/** Checks a token against all accepted keys: the current one and, after a rotation, the previous one. */
export function readSlipToken(token: string, keys: readonly string[], now: Date): ReadToken {
  const version = [WITHOUT_PROOF, WITH_PROOF].find(({ text }) => text.test(token));
  const bytes = Buffer.from(token, 'base64url');
  // Accepts only the canonical encoding, because 43 Base64 characters hold two bits more than 32 bytes.
  if (version === undefined || bytes.toString('base64url') !== token) return { kind: 'invalid' };
  const signed = bytes.subarray(0, version.signedLength);
  const signature = bytes.subarray(version.signedLength);
  const key = keys
    .filter((one) => keyMark(one) === signed.readUInt8(0))
    .find((one) => timingSafeEqual(sign(signed, one, version), signature));
  const start = signed.subarray(0, START_LENGTH);
  const facts = key === undefined ? undefined : readFacts(start);
  if (key === undefined || facts === undefined) return { kind: 'invalid' };
  const kind = now.getTime() < facts.expiresAt.getTime() ? 'valid' : 'expired';
  const withdrawalName = nameOfWithdrawal(facts.reference, key);
  if (version === WITHOUT_PROOF) return { kind, facts, withdrawalName };
  const commitments = signed.subarray(START_LENGTH);
  const compare: SlipProof['compare'] = (typed) => compareDetails(typed, start, commitments, key);
  return { kind, facts, withdrawalName, proof: { attemptsName: nameOfAttempts(start, key), compare } };
}

/** Returns the address that the QR code opens. `baseUrl` uses HTTPS and has no path except a stage. */
export function slipCheckUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/v1/slips/check/${token}`;
}
