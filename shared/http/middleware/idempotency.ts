import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidSchema } from '../../core/errors.ts';
import { containsNumber } from '../../core/numbers.ts';
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

const HEADER = 'Idempotency-Key';
const FORMAT = `The ${HEADER} must have 8 to 255 printable ASCII characters: letters, digits, punctuation and spaces.`;

/** The caller's key, if there is one. A malformed or repeated header is rejected, not ignored: a charge depends on it. */
function idempotencyKeyOf(event: APIGatewayProxyEvent, number: string): string | undefined {
  const [value, ...others] = headerValues(event, 'idempotency-key');
  if (value === undefined) return undefined;
  if (others.length > 0)
    throw invalidSchema('duplicate_field', HEADER, `The header ${HEADER} is sent twice.`, 'Send it once.');
  if (!IDEMPOTENCY_KEY.test(value)) throw invalidSchema('wrong_format', HEADER, FORMAT, 'Use a random UUID.');
  // The tables contain an unkeyed hash of the key, so numbers of people and accounts could be guessed from it.
  if (containsNumber(value, number))
    throw invalidSchema(
      'wrong_value',
      HEADER,
      `The ${HEADER} contains the number to verify.`,
      'Use a random UUID.',
    );
  return value;
}
