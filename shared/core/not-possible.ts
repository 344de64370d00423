const NOT_POSSIBLE = 'NotPossible';

/** Returns the error of a change that an operator cannot make now. They see the message; that of other errors is not shown. */
export function notPossible(message: string): Error {
  const error = Object.assign(new Error(message), { name: NOT_POSSIBLE });
  Error.captureStackTrace(error, notPossible);
  return error;
}

/** Whether `notPossible` has created it. */
export const isNotPossible = (error: unknown): error is Error =>
  error instanceof Error && error.name === NOT_POSSIBLE;
