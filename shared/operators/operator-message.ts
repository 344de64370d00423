import { isTableFailure } from '../core/database.ts';
import { ServiceError } from '../core/errors.ts';

/** Returns what an operator sees of a fault: its name, because the message may quote data. */
export function faultMessage(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown error';
  return `The change failed (${name}). Run the same command again. If it fails again, the log of its function shows the cause.`;
}

/**
 * Returns the message of an error that is meant for the operator: why a change is not possible. Undefined for faults,
 * whose messages may quote data.
 */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof ServiceError) return error.message;
  const isMeant = error instanceof Error && error.name === 'Error' && !isTableFailure(error);
  return isMeant ? error.message : undefined;
}
