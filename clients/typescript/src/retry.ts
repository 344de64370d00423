import { clock } from './clock.ts';
import { type Charged, type Failure, IdentityError } from './errors.ts';
import type { Attempt } from './transport.ts';

/** clients/README.md in the service's repository explains the rules. */

/** The service responds within 28 seconds, and its gateway ends every request after 29. */
const ATTEMPT_MS = 30_000;
/** A call that is known not to be charged is retried only if this much time remains for the response. */
const RESPONSE_MS = 28_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** All attempts for one result. */
export interface Call {
  /** Undefined for a call that only reads. */
  readonly idempotencyKey?: string;
  /** Whether the call may be charged. */
  readonly costs: boolean;
  /** An earlier call may have been charged under it. */
  readonly isKeySupplied?: boolean;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

/** Of the first attempt that succeeds. */
export async function callWithRetries<T>(
  { idempotencyKey, costs, isKeySupplied, timeoutMs, maxRetries, signal }: Call,
  attempt: (limitMs: number) => Promise<Attempt<T>>,
): Promise<T> {
  const endMs = clock.nowMs() + timeoutMs;
  let charged: Charged = costs && isKeySupplied ? undefined : false;
  let reported: Failure | undefined;
  for (let retries = 0; ; ) {
    const result = signal?.aborted
      ? notSent(signal)
      : await attempt(Math.min(ATTEMPT_MS, endMs - clock.nowMs()));
    if ('value' in result) return result.value;
    const { failure } = result;
    charged = chargedAfter(charged, failure);
    reported = reportedAfter(reported, failure);
    const waitMs = waitBefore(retries, failure.retryAfterMs);
    const remainingMs = endMs - clock.nowMs() - waitMs;
    // Without a response, `charged` would become unknown.
    const neededMs = costs && charged === false ? RESPONSE_MS : 0;
    if (!mayRetry(failure, retries, maxRetries) || remainingMs <= 0 || remainingMs < neededMs)
      throw new IdentityError(reported, charged, idempotencyKey);
    await clock.sleep(waitMs, signal);
    // It will end: only the timeout limits the wait.
    if (failure.kind !== 'in_progress') retries += 1;
  }
}

/** The caller's signal had already been aborted. */
function notSent(signal: AbortSignal): { failure: Failure } {
  const message = 'The signal aborted the call.';
  const failure = { retryable: true, charged: false, mostRetries: 0, cause: signal.reason };
  return { failure: { kind: 'aborted', message, ...failure } };
}

/** Given what was known before its last attempt. */
function chargedAfter(before: Charged, { charged, isAfterKeyCheck }: Failure): Charged {
  if (before === true || charged === true) return true;
  if (isAfterKeyCheck || before === false) return charged;
  return undefined;
}

/** A response from the API says more than a later failure without one. */
function reportedAfter(before: Failure | undefined, failure: Failure): Failure {
  return before?.code && !failure.code && failure.kind !== 'aborted' ? before : failure;
}

/** Its random part keeps clients that failed together from retrying together. */
function waitBefore(retries: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * (100 + retryAfterMs / 10);
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries);
}

function mayRetry({ kind, mostRetries }: Failure, retries: number, maxRetries: number): boolean {
  if (maxRetries === 0) return false;
  return kind === 'in_progress' || retries < Math.min(maxRetries, mostRetries);
}
