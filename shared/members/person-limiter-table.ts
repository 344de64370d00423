import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expiringLimiterTable } from '../accounts/expiring-limiter-table.ts';
import type { RateLimit } from '../accounts/organisation.ts';
import { isWithin, tatOf } from '../accounts/rate-limit.ts';
import type { Row } from '../core/database.ts';
import { personLimiterKey } from '../core/keys.ts';

/** The limit for all requests of one person, across their sessions and organisations. */
export const PERSON_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 30 };

/** The rows in Console that limit the requests of people: `PERSON#<id>` / `RATE`. */
export type PersonLimiterTable = ReturnType<typeof personLimiterTable>;

export function isPersonWithinRate(row: Row, nowMs: number): boolean {
  return isWithin(tatOf(row), nowMs, PERSON_RATE_LIMIT);
}

export function personLimiterTable(client: DynamoDBDocumentClient, tableName: string) {
  const table = expiringLimiterTable(client, tableName);
  return {
    /** Counts one request. `row` is the person's row as this request read it. */
    take: (personId: string, row: Row, nowMs: number) =>
      table.take(personLimiterKey(personId), row, nowMs, PERSON_RATE_LIMIT),
  };
}
