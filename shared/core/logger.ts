import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

/**
 * One structured line per request and one for each thing that needs a person. Only named, harmless fields are
 * written: no body, number, name, key, or anything of a record ever reaches a line (house rule 7).
 */
export const logger = new Logger({ logRecordOrder: ['level', 'message', 'timestamp'] });

/**
 * Metrics in CloudWatch's embedded format: a log line of their own, no call. Who adds some publishes them at once, with
 * the dimensions that are theirs.
 */
export const metrics = new Metrics();

/** The parts of an error that are safe to log: never its message, which may quote input, and never its cause's. */
export function errorFields(error: unknown): { error_name: string; error_at?: string; cause?: string } {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const at = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return {
    error_name: error.name,
    ...(at && { error_at: at.trim() }),
    ...(error.cause instanceof Error && { cause: error.cause.name }),
  };
}
