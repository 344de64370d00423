import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidSchema } from '../../core/errors.ts';
import { containsNumber } from '../../core/numbers.ts';
import type { Middleware } from '../../http/context.ts';
import { IDEMPOTENCY_HEADER, idempotencyKeyOf, USE_UUID } from '../../http/idempotency-key.ts';
import { claim } from './claim-and-reserve.ts';
import { creditOf, setCredit } from './credit.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { settleLate } from './settle.ts';
import { simulateError } from './simulated-error.ts';
import { command } from './values.ts';

/**
 * Charges the requests with one Idempotency-Key at most once in 30 days: a retry is a free replay, is rejected, or
 * becomes a new attempt (contract E3).
 */
export function idempotency(route: string, deps: LookUpDependencies): Middleware {
  return {
    name: 'idempotency',
    async before({ event, context: { requestContext } }) {
      const key = keyWithoutNumber(event, command.of(requestContext).number);
      simulateError(requestContext, 'REQUEST_IN_PROGRESS');
      if (key === undefined) return;
      const startedMs = deps.clock.nowMs();
      const claimed = await claim(requestContext, route, key, deps);
      creditOf(requestContext).ledgerMs += deps.clock.nowMs() - startedMs;
      if (requestContext.isOutOfTime) {
        // Nothing else settles a claim that completes after the response: a replay, for example, would remain counted.
        await settleLate(claimed, deps);
        return;
      }
      setCredit(requestContext, claimed);
      if (claimed.kind !== 'replay') return;
      requestContext.replayOf = claimed.of.requestId;
      requestContext.headers['Idempotent-Replayed'] = 'true';
      requestContext.headers['X-Replay-Of'] = claimed.of.requestId;
    },
  };
}

function keyWithoutNumber(event: APIGatewayProxyEvent, number: string): string | undefined {
  const key = idempotencyKeyOf(event);
  // The tables contain an unkeyed hash of the key, so an identity number in the key could be guessed from it.
  if (key !== undefined && containsNumber(key, number))
    throw invalidSchema(
      'wrong_value',
      IDEMPOTENCY_HEADER,
      `The ${IDEMPOTENCY_HEADER} contains the number to verify.`,
      USE_UUID,
    );
  return key;
}
