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
      const key = idempotencyKeyOf(event, requestContext.command.number);
      if (key === undefined) return;
      const claimed = await claim(requestContext, route, key, deps);
      if (requestContext.isOutOfTime) {
        // Nothing else settles a claim that completes after the response: a replay would stay counted.
        await settleLate(claimed, deps);
        return;
      }
      requestContext.credit = claimed;
      if (requestContext.credit.kind === 'replay') requestContext.headers['Idempotent-Replayed'] = 'true';
    },
  };
}

/** The caller's key, if there is one. A malformed or repeated header is rejected, not ignored: a charge depends on it. */
function idempotencyKeyOf(event: APIGatewayProxyEvent, number: string): string | undefined {
  const [value, ...others] = headerValues(event, 'idempotency-key');
  if (value === undefined) return undefined;
  if (others.length > 0) throw rejected('Send the Idempotency-Key header only once.');
  if (!IDEMPOTENCY_KEY.test(value))
    throw rejected('The Idempotency-Key must have 8 to 255 printable ASCII characters.');
  if (containsNumber(value, number))
    throw rejected('The Idempotency-Key must not contain the number that is verified. Use a random key.');
  return value;
}

/** The tables contain an unkeyed hash of the key, so numbers of people and accounts could be guessed from it. */
function containsNumber(key: string, number: string): boolean {
  const digits = number.replaceAll('-', '');
  return /^\d{10,}$/.test(digits) && key.replaceAll(/[ -]/g, '').includes(digits);
}

function rejected(message: string): ServiceError {
  return new ServiceError('INVALID_SCHEMA', { message });
}
