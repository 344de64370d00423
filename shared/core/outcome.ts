export const OUTCOMES = [
  'FOUND',
  'NOT_FOUND',
  'FAILED',
  'UNREACHABLE',
  'TIMEOUT',
  /** The request was rejected after its key was claimed or its cost was reserved, for example for lack of credit. */
  'REFUSED',
  'ERROR',
  /** The request ended without a decision; the sweeper or the next attempt voided it. */
  'ABANDONED',
] as const;
export type Outcome = (typeof OUTCOMES)[number];
