import { caller } from '../../accounts/middleware/caller.ts';
import { type ErrorCode, ServiceError } from '../../core/errors.ts';
import type { RequestContext } from '../../http/context.ts';
import { endingOf } from '../../registries/sandbox/protocol.ts';
import { command } from './values.ts';

const ENDINGS = {
  SUBSCRIPTION_REQUIRED: '0401',
  INSUFFICIENT_FUNDS: '0402',
  REQUEST_IN_PROGRESS: '0409',
  RATE_LIMITED: '0429',
  OUTCOME_UNKNOWN: '0520',
} as const satisfies Partial<Record<ErrorCode, string>>;
const RETRY_AFTER_SECONDS = 2;

/** Throws the error if a number of a request with a test key selects it, although its check passes (contract G1). */
export function simulateError(requestContext: RequestContext, code: keyof typeof ENDINGS): void {
  const { env } = caller.of(requestContext);
  if (env === 'live' || endingOf(command.of(requestContext).number) !== ENDINGS[code]) return;
  requestContext.line.detail = 'simulated';
  if (code === 'RATE_LIMITED')
    requestContext.headers['RateLimit'] = `"requests";r=0;t=${RETRY_AFTER_SECONDS}`;
  const waits = code === 'RATE_LIMITED' || code === 'REQUEST_IN_PROGRESS';
  throw new ServiceError(code, waits ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {});
}
