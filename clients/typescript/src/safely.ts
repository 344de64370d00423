import { IdentityError } from './errors.ts';

/** The outcome of a call: its value or its error. */
export type CallOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: IdentityError };

/**
 * Returns the outcome of a call as data, so that the compiler checks that its errors are handled. Programming errors
 * still throw.
 */
export async function safely<T>(call: Promise<T>): Promise<CallOutcome<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof IdentityError) return { ok: false, error };
    throw error;
  }
}
