import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import { beginOperation } from '../../ledger/idempotency.ts';
import { IDEMPOTENCY_KEY } from '../../ledger/rows/idempotency.ts';
import { fingerprint } from '../../verifications/number-tag.ts';
import { headerValues, type Middleware, required } from '../context.ts';
import type { VerificationDependencies } from '../dependencies.ts';

/** One charge per Idempotency-Key: a repeat is answered free, refused, or becomes the new attempt (decision E3). */
export function idempotency(route: string, { ledger, tools, pepper }: VerificationDependencies): Middleware {
  return {
    before: async function idempotencyBefore({ event, context }) {
      const { requestContext } = context;
      const key = presentedKey(event);
      if (key === undefined) return;
      const operation = required(requestContext.operation, 'operation');
      const canonical = JSON.stringify([route, required(requestContext.command, 'command')]);
      const keyHash = createHash('sha256').update(`${route}\n${key}`).digest('hex');
      const claim = { keyHash, fingerprint: fingerprint(await pepper(), operation.wallet, canonical) };
      const beginning = await beginOperation(operation, claim, ledger, tools);
      requestContext.idempotencyKeyHash = keyHash;
      if (beginning.kind === 'replay') {
        requestContext.replayOf = beginning.of;
        requestContext.headers['Idempotent-Replayed'] = 'true';
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
