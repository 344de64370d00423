import { ServiceError } from './errors.ts';

/** The promise's value, or OUTCOME_UNKNOWN once the instant `byMs` has come (epoch milliseconds). */
export async function withDeadline<T>(promise: Promise<T>, byMs: number, nowMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('OUTCOME_UNKNOWN')), Math.max(0, byMs - nowMs));
  });
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
