import { ServiceError } from './errors.ts';

/**
 * Waits for a promise until the instant `byMs` (epoch milliseconds). Returns its value, or throws its error. Once the
 * deadline has passed, returns what `onExpiry` returns, or throws what it throws; by default OUTCOME_UNKNOWN.
 */
export async function withDeadline<T, E = never>(
  promise: Promise<T>,
  byMs: number,
  nowMs: number,
  onExpiry: () => E = throwOutcomeUnknown,
): Promise<T | E> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, byMs - nowMs));
  });
  try {
    return await Promise.race([promise, expiry.then(onExpiry)]);
  } finally {
    clearTimeout(timer);
  }
}

function throwOutcomeUnknown(): never {
  throw new ServiceError('OUTCOME_UNKNOWN');
}
