import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Writes structured lines: one for each request, and others for scheduled runs, events and problems. Only named,
 * harmless fields are written: never a body, a number, a person's name, a key or any part of a record (rule 13 of
 * docs/design/architecture.md).
 */
export const logger = new Logger({ logRecordOrder: ['level', 'message', 'timestamp'] });

/** Returns the fields of an error that are safe to log. Messages are left out, because they may quote input. */
export function errorFields(error: unknown): { error_name: string; error_at?: string; cause?: string } {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const at = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return {
    error_name: error.name,
    ...(at && { error_at: at.trim() }),
    ...(error.cause instanceof Error && { cause: error.cause.name }),
  };
}
