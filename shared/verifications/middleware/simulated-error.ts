import { caller } from '../../accounts/middleware/caller.ts';
import { ServiceError } from '../../core/errors.ts';
import type { RequestContext } from '../../http/context.ts';
import {
  endingOf,
  SIMULATED_ENDINGS,
  SIMULATED_RETRY_AFTER_SECONDS,
} from '../../registries/sandbox/protocol.ts';
import { command } from './values.ts';

/** Throws the error if a number of a request with a test key selects it, although its check passes (contract G1). */
export function simulateError(requestContext: RequestContext, code: keyof typeof SIMULATED_ENDINGS): void {
  const { env } = caller.of(requestContext);
  if (env === 'live' || endingOf(command.of(requestContext).number) !== SIMULATED_ENDINGS[code]) return;
  requestContext.line.detail = 'simulated';
  if (code === 'RATE_LIMITED')
    requestContext.headers['RateLimit'] = `"requests";r=0;t=${SIMULATED_RETRY_AFTER_SECONDS}`;
  const waits = code === 'RATE_LIMITED' || code === 'REQUEST_IN_PROGRESS';
  throw new ServiceError(code, waits ? { retryAfterSeconds: SIMULATED_RETRY_AFTER_SECONDS } : {});
}
