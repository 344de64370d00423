import { Logger } from '@aws-lambda-powertools/logger';
import { failedCallOf } from './failed-call.ts';
import { sourcePosition } from './source-position.ts';

/**
 * Writes structured lines: one for each request, and others for scheduled runs, events and problems. Only named,
 * harmless fields are written: never a body, a number, a person's name, a key or any part of a record (rule 13 of
 * docs/design/architecture.md).
 */
export const logger = new Logger({ logRecordOrder: ['level', 'message', 'timestamp'] });

/**
 * Returns the fields of an error that are safe to log. Messages are left out, because they may quote input. `error_at`
 * lists files and lines, the innermost first; `call`, `table` and `retries` describe a failed call to an AWS service.
 */
export function errorFields(error: unknown): {
  error_name: string;
  error_at?: string;
  cause?: string;
  call?: string;
  table?: string;
  retries?: number;
} {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const call = failedCallOf(error);
  const at = sourcePosition(error) ?? (call && sourcePosition(call.at));
  return {
    error_name: error.name,
    ...(at && { error_at: at }),
    ...(error.cause instanceof Error && { cause: error.cause.name }),
    ...(call && { call: `${call.service} ${call.operation}`, retries: call.retries }),
    ...(call && call.tables.length > 0 && { table: call.tables.join(',') }),
  };
}
