import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import { IDEMPOTENCY_KEY } from '../../ledger/rows/idempotency.ts';
import { claim } from '../claim-and-reserve.ts';
import { headerValues, type Middleware } from '../context.ts';
import type { VerificationDependencies } from '../dependencies.ts';
import { settleLate } from '../settle.ts';

/** One charge per Idempotency-Key: a repeat is a free replay, is rejected, or becomes the new attempt (decision E3). */
export function idempotency(route: string, deps: VerificationDependencies): Middleware {
  return {
    before: async function idempotencyBefore({ event, context: { requestContext } }) {
      const key = idempotencyKeyOf(event);
      if (key === undefined) return;
      const claimed = await claim(requestContext, route, key, deps);
      if (requestContext.isOutOfTime) {
        // Nobody else settles a claim that comes after the response: a replay would stay counted.
        await settleLate(claimed, deps);
        return;
      }
      requestContext.credit = claimed;
      if (requestContext.credit.kind === 'replay') requestContext.headers['Idempotent-Replayed'] = 'true';
    },
  };
}

/** The caller's key, if there is one. A malformed or repeated header is rejected, not ignored: a charge depends on it. */
function idempotencyKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'idempotency-key');
  if (value === undefined) return undefined;
  if (others.length > 0 || !IDEMPOTENCY_KEY.test(value))
    throw new ServiceError('INVALID_SCHEMA', {
      message: 'Send one Idempotency-Key header of 16 to 128 letters, digits, "-" and "_".',
    });
  return value;
}
