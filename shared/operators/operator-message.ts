import { ServiceError } from '../core/errors.ts';
import { isNotPossible } from '../core/not-possible.ts';

/** Returns what an operator sees of a fault: its name and the request, because the message may quote data. */
export function faultMessage(error: unknown, requestId: string): string {
  const name = error instanceof Error ? error.name : 'unknown error';
  return `The change failed (${name}). Run the same command again. If it fails again, the log of its function shows the cause: lambda_request_id is ${requestId}.`;
}

/**
 * Returns the message of an error that is meant for the operator: why a change is not possible. Undefined for faults,
 * whose messages may quote data.
 */
export function operatorMessage(error: unknown): string | undefined {
  return error instanceof ServiceError || isNotPossible(error) ? error.message : undefined;
}
