import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, type RateDecision } from '../accounts/rate-limit.ts';
import { type Row, rowOfFailedCondition } from '../core/database.ts';
import { personLimiterKey } from '../core/keys.ts';
import { isPersonWithinRate, PERSON_RATE_LIMIT, personRequestUpdate, tatOf } from './person-limiter.ts';

const TRIES = 4;

/** The rows in Console that limit the requests of people: `PERSON#<id>` / `RATE`. */
export interface PersonLimiterTable {
  /**
   * Counts one request. `row` is the person's row as this request has read it. At most one write succeeds; a flood is
   * rejected by the row that was read, without a call.
   */
  take(personId: string, row: Row, nowMs: number): Promise<RateDecision>;
}

export function personLimiterTable(client: DynamoDBDocumentClient, tableName: string): PersonLimiterTable {
  /** One conditional update. Returns the row as it is now, and whether this update changed it. */
  async function send(personId: string, row: Row, nowMs: number) {
    const update = personRequestUpdate(row, nowMs);
    try {
      const answer = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: personLimiterKey(personId),
          ...update,
          ConditionExpression: update.ConditionExpression,
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { isApplied: true, row: (answer.Attributes ?? {}) as Row };
    } catch (error) {
      const existing = rowOfFailedCondition(error);
      if (!existing) throw error;
      return { isApplied: false, row: existing };
    }
  }

  return {
    async take(personId, read, nowMs) {
      let row = read;
      for (let tries = 0; tries < TRIES && isPersonWithinRate(row, nowMs); tries += 1) {
        const result = await send(personId, row, nowMs);
        row = result.row;
        if (result.isApplied) return describe(true, tatOf(row), nowMs, PERSON_RATE_LIMIT);
      }
      return describe(false, tatOf(row), nowMs, PERSON_RATE_LIMIT);
    },
  };
}
