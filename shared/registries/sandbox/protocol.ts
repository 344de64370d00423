import type { ErrorCode } from '../../core/errors.ts';

/** The sandbox's protocol, in its own module so that the bundles of clients do not contain names and pictures. */

export const SECRET_HEADER = 'x-sandbox-secret';
export const REQUEST_HEADER = 'x-request-id';
/**
 * How long the client waits after it sends the request, in whole milliseconds. The sandbox stops after this time, so
 * that no execution continues for a client that has stopped waiting. It is a duration, not a time, because the
 * clocks of two functions differ.
 */
export const REMAINING_HEADER = 'x-remaining-ms';

/** Numbers with these endings make the sandbox unavailable, or too slow to respond in time (contract G1). */
const OUTAGE_ENDINGS = ['0503', '0504'];

/** Whether a number makes the sandbox simulate an outage, which says nothing about its health. */
export function simulatesOutage(number: string): boolean {
  return OUTAGE_ENDINGS.includes(endingOf(number));
}

/** Returns the last four digits of a number, which select the outcome or the variant of a person. */
export function endingOf(number: string): string {
  return number.replace(/[^0-9]/g, '').slice(-4);
}

/** Returns the number with these last four digits. Letters between or after them stay, as in a virtual NIN. */
export function withEnding(number: string, ending: string): string {
  let used = 0;
  const changed = number.trimEnd().replace(/\d(?=(?:\D*\d){0,3}\D*$)/g, () => {
    used += 1;
    return ending.charAt(used - 1);
  });
  return changed + ending.slice(used);
}

/** The errors that a number selects although the request passes their check, by its last four digits (contract G1). */
export const SIMULATED_ENDINGS = {
  SUBSCRIPTION_REQUIRED: '0401',
  INSUFFICIENT_FUNDS: '0402',
  REQUEST_IN_PROGRESS: '0409',
  RATE_LIMITED: '0429',
  OUTCOME_UNKNOWN: '0520',
} as const satisfies Partial<Record<ErrorCode, string>>;
export const SIMULATED_RETRY_AFTER_SECONDS = 2;
