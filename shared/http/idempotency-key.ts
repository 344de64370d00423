import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidSchema } from '../core/errors.ts';
import { headerValues } from './context.ts';

/** Contract E3. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{8,255}$/;
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const KEY_FORMAT = `The ${IDEMPOTENCY_HEADER} must have 8 to 255 printable ASCII characters: letters, digits, punctuation and spaces.`;
export const USE_UUID = 'Use a random UUID.';

/** The tables contain only this hash of a key. A key belongs to one route. */
export function hashOfKey(route: string, key: string): string {
  return createHash('sha256').update(`${route}\n${key}`).digest('hex');
}

/**
 * Ties a response to its request: a connection may deliver the response to another request (contract C10).
 */
export function idempotencyHeader(event: APIGatewayProxyEvent): Readonly<Record<string, string>> {
  const [value = '', ...others] = headerValues(event, 'idempotency-key');
  return others.length === 0 && IDEMPOTENCY_KEY.test(value) ? { [IDEMPOTENCY_HEADER]: value } : {};
}

/** Throws if the header is malformed or repeated: ignoring it could cause a second charge or payment. */
export function idempotencyKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'idempotency-key');
  if (value === undefined) return undefined;
  if (others.length > 0)
    throw invalidSchema(
      'duplicate_field',
      IDEMPOTENCY_HEADER,
      `The header ${IDEMPOTENCY_HEADER} is sent more than once.`,
      'Send it once.',
    );
  if (!IDEMPOTENCY_KEY.test(value))
    throw invalidSchema('wrong_format', IDEMPOTENCY_HEADER, KEY_FORMAT, USE_UUID);
  return value;
}
