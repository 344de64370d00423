import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '../core/secrets.ts';
import type { Endpoint, SecretRef } from './endpoint.ts';

/**
 * Signatures according to Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks), and their
 * secrets. Each secret is derived from a master secret, so that no table contains it.
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Returns the ID of a master secret, which does not reveal the secret. Endpoints store the ID, so that their secrets
 * survive a rotation of the master secret.
 */
export function masterIdOf(master: string): string {
  return createHash('sha256').update(`webhook-master/${master}`).digest('hex').slice(0, 12);
}

/** Returns the master secret with this ID, or undefined if it is neither the current nor the previous one. */
export function masterWithId(id: string, masters: Secret): string | undefined {
  return Object.values(masters).find((one) => masterIdOf(one) === id);
}

/**
 * Derives the secret of an endpoint in the format that customers receive: `whsec_` and base64. `masters` is the secret
 * with `current` and, after a rotation, `previous`. Throws if `master` is the ID of neither.
 */
export function endpointSecret(
  { id, organisationId, env }: Pick<Endpoint, 'id' | 'organisationId' | 'env'>,
  { version, master }: SecretRef,
  masters: Secret,
): string {
  const known = masterWithId(master, masters);
  if (known === undefined) throw new Error('The master secret of a webhook endpoint is no longer known.');
  // Newlines separate the parts, none of which contains a newline.
  const info = ['webhook', env, organisationId, id, version].join('\n');
  const bytes = hkdfSync('sha256', known, 'identity-verification', info, SECRET_BYTES);
  return PREFIX + Buffer.from(bytes).toString('base64');
}

/** The message that is signed. */
interface SignedMessage {
  /** The ID of the event. */
  readonly id: string;
  /** The time of the attempt, in epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns one signature, such as `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`. `secret` begins with `whsec_`. */
export function signatureOf({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Returns the headers of a message, signed with each of these secrets. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(message, secret)).join(' '),
  };
}
