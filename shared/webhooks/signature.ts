import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '../core/secrets.ts';
import type { Endpoint, SecretRef } from './endpoint.ts';

/**
 * Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks). Secrets are derived from a master
 * secret, so that no table contains them.
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Endpoints store the ID, so that their secrets survive a rotation of the master secret. */
export function masterIdOf(master: string): string {
  return createHash('sha256').update(`webhook-master/${master}`).digest('hex').slice(0, 12);
}

export function masterWithId(id: string, masters: Secret): string | undefined {
  return Object.values(masters).find((one) => masterIdOf(one) === id);
}

/** `whsec_` and base64. Throws if `master` is neither the current nor the previous one. */
export function endpointSecret(
  { id, organisationId, env }: Pick<Endpoint, 'id' | 'organisationId' | 'env'>,
  { version, master }: SecretRef,
  masters: Secret,
): string {
  const known = masterWithId(master, masters);
  if (known === undefined) throw new Error('The master secret of a webhook endpoint is no longer known.');
  // No part contains a newline.
  const info = ['webhook', env, organisationId, id, version].join('\n');
  const bytes = hkdfSync('sha256', known, 'identity-verification', info, SECRET_BYTES);
  return PREFIX + Buffer.from(bytes).toString('base64');
}

/** The message that is signed. */
interface SignedMessage {
  /** The ID of the event. */
  readonly id: string;
  /** Of the attempt, epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** Such as `v1,xRQlMuUMk6FsBtFtX5wyiPUCm1YXYbmA0FP4O3o6NvY=`. */
export function signatureOf({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** One signature for each secret. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(message, secret)).join(' '),
  };
}
