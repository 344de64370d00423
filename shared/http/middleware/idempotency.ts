import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import { fingerprint } from '../../verifications/number-tag.ts';
import { beginOperation } from '../../wallets/begin-operation.ts';
import { IDEMPOTENCY_KEY } from '../../wallets/idempotency.ts';
import { headerValues, type Middleware, need } from '../exchange.ts';
import type { VerificationParts } from '../parts.ts';

/** One charge per Idempotency-Key: a repeat is answered free, refused, or becomes the new attempt (decision E3). */
export function idempotency(route: string, { ledger, tools, pepper }: VerificationParts): Middleware {
  return {
    before: async function idempotencyBefore({ event, context }) {
      const { exchange } = context;
      const key = presentedKey(event);
      if (key === undefined) return;
      const operation = need(exchange.operation, 'operation');
      const canonical = JSON.stringify([route, need(exchange.command, 'command')]);
      const keyHash = createHash('sha256').update(`${route}\n${key}`).digest('hex');
      const claim = { keyHash, fingerprint: fingerprint(await pepper(), operation.wallet, canonical) };
      const beginning = await beginOperation(operation, claim, ledger, tools);
      exchange.idempotencyKeyHash = keyHash;
      if (beginning.kind === 'replay') {
        exchange.replayOf = beginning.of;
        exchange.headers['Idempotent-Replayed'] = 'true';
      }
    },
  };
}

/** The key, if one was sent. A malformed or repeated header is refused rather than ignored: money hangs on it. */
function presentedKey(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'idempotency-key');
  if (value === undefined) return undefined;
  if (others.length > 0 || !IDEMPOTENCY_KEY.test(value))
    throw new ServiceError('INVALID_SCHEMA', {
      message: 'The Idempotency-Key must be one header of 16 to 128 letters, digits, "-" and "_".',
    });
  return value;
}
