import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import type { GatewayResponseType } from '../gateway/gateway-responses.ts';
import { REGION } from '../templates/physical-names.ts';
import type { Principal, Principals } from './principals.ts';

/**
 * Verifies AWS Signature Version 4 as API Gateway does: signs the request again with the secret of the key that it
 * names, and compares the signatures.
 */

/** A request as it was received. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Who signed a request. */
export interface Caller {
  readonly principal: Principal;
  readonly accessKeyId: string;
}

/** Why a request is not accepted. The message is AWS's. */
export interface Rejection {
  readonly type: GatewayResponseType;
  readonly message: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/\s,]+)\/[^\s,]+,\s*SignedHeaders=([^\s,]+),\s*Signature=([0-9a-f]{64})$/;
const MAX_SKEW_MS = 5 * 60_000;

/** The SDK's SHA-256. */
const { sha256 } = new DynamoDBClient({ region: REGION }).config;

/** Returns the caller that signed a request to `service`, or why the request is rejected. */
export async function verifySignature(
  request: SignedRequest,
  service: string,
  principals: Principals,
  nowMs: number,
): Promise<Caller | Rejection> {
  const { headers } = request;
  if (headers.authorization === undefined) return MISSING;
  const [, accessKeyId = '', names = '', signature = ''] = AUTHORIZATION.exec(headers.authorization) ?? [];
  const signedNames = names.split(';');
  const signedAt = parseTime(headers['x-amz-date']);
  if (!signedAt || !signedNames.includes('host') || !signedNames.includes('x-amz-date')) return INCOMPLETE;
  const found = principals.withKey(accessKeyId);
  if (!found || headers['x-amz-security-token'] !== found.credentials.AWS_SESSION_TOKEN) return UNKNOWN;
  if (Math.abs(nowMs - signedAt.getTime()) > MAX_SKEW_MS) return expired(signedAt, nowMs);
  const declaredHash = headers['x-amz-content-sha256'];
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  if (declaredHash !== undefined && declaredHash !== bodyHash) return WRONG;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = found.credentials;
  const signer = new SignatureV4({
    service,
    region: REGION,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    },
    sha256,
    // Otherwise, the library would add a header with the hash and sign it.
    applyChecksum: false,
  });
  const again = await signer.sign(unsigned(request, signedNames), {
    signingDate: signedAt,
    signableHeaders: new Set(signedNames),
  });
  const [, , , expected = ''] = AUTHORIZATION.exec(again.headers['authorization'] ?? '') ?? [];
  // Both have 64 characters.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return WRONG;
  return { principal: found.principal, accessKeyId };
}

/** Returns the request as it was before it was signed, with only the headers that the signature covers. */
function unsigned({ method, url, headers, body }: SignedRequest, signedNames: readonly string[]) {
  const [path = '/', ...search] = url.split('?');
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search.join('?')))
    query[name] = [...(query[name] ?? []), value];
  const signed = signedNames.map((name) => [name, String(headers[name] ?? '')]);
  return {
    method,
    protocol: 'http:',
    hostname: 'localhost',
    path,
    query,
    headers: Object.fromEntries(signed),
    body,
  };
}

/** Parses a time such as `20261121T113341Z`. */
function parseTime(text: unknown): Date | undefined {
  const digits = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(text));
  if (!digits) return undefined;
  const [, year, month, day, hour, minute, second] = digits;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:-]|\.\d+/g, '');
}

// API Gateway's messages ("How do I troubleshoot HTTP 403 errors from API Gateway?", AWS re:Post).

const MISSING: Rejection = { type: 'MISSING_AUTHENTICATION_TOKEN', message: 'Missing Authentication Token' };
const INCOMPLETE: Rejection = {
  type: 'INVALID_SIGNATURE',
  message:
    "Authorization header requires 'Credential', 'Signature' and 'SignedHeaders' parameters, and the headers 'Host' and 'X-Amz-Date' must be signed.",
};
const UNKNOWN: Rejection = {
  type: 'ACCESS_DENIED',
  message: 'The security token included in the request is invalid.',
};
const WRONG: Rejection = {
  type: 'INVALID_SIGNATURE',
  message:
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
};

function expired(signedAt: Date, nowMs: number): Rejection {
  const isLate = signedAt.getTime() < nowMs;
  const limit = formatTime(nowMs + (isLate ? -MAX_SKEW_MS : MAX_SKEW_MS));
  const message = `${isLate ? 'Signature expired' : 'Signature not yet current'}: ${formatTime(signedAt.getTime())} is ${isLate ? 'now earlier' : 'still later'} than ${limit} (${formatTime(nowMs)} ${isLate ? '-' : '+'} 5 min.)`;
  return { type: 'EXPIRED_TOKEN', message };
}
