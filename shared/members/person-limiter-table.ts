import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, type RateDecision, tatOf } from '../accounts/rate-limit.ts';
import { type Row, updateRow } from '../core/database.ts';
import { personLimiterKey } from '../core/keys.ts';
import { isPersonWithinRate, PERSON_RATE_LIMIT, personRequestUpdate } from './person-limiter.ts';

const MAX_ATTEMPTS = 4;

/** The rows in Console that limit the requests of people: `PERSON#<id>` / `RATE`. */
export type PersonLimiterTable = ReturnType<typeof personLimiterTable>;

export function personLimiterTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /**
     * Counts one request. `row` is the person's row as this request read it. At most one write succeeds. If that row
     * does not permit a request, rejects it without a call.
     */
    async take(personId: string, read: Row, nowMs: number): Promise<RateDecision> {
      const key = personLimiterKey(personId);
      let row = read;
      for (let attempts = 0; attempts < MAX_ATTEMPTS && isPersonWithinRate(row, nowMs); attempts += 1) {
        const result = await updateRow(client, tableName, key, personRequestUpdate(row, nowMs));
        row = result.row;
        if (result.isApplied) return describe(true, tatOf(row), nowMs, PERSON_RATE_LIMIT);
      }
      return describe(false, tatOf(row), nowMs, PERSON_RATE_LIMIT);
    },
  };
}
