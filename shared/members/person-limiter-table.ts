import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expiringLimiterTable } from '../accounts/expiring-limiter-table.ts';
import type { RateLimit } from '../accounts/organisation.ts';
import { isWithin, tatOf } from '../accounts/rate-limit.ts';
import type { Row } from '../core/database.ts';
import { ServiceError } from '../core/errors.ts';
import { personLimiterKey, personMailsKey } from '../core/keys.ts';

/** The limit for all requests of one person, across their sessions and organisations. */
export const PERSON_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 30 };

const A_DAY = 1 / 86_400;
/**
 * Emails that a person causes, refilled over a day: those to owners about a change, and invitations to an organisation
 * that is not approved. Anyone can create organisations, and too many emails would hide one that matters. Edits of test
 * keys count as notices, although nobody gets an email.
 */
export const MAIL_LIMITS = {
  notice: { perSecond: 30 * A_DAY, burst: 30 },
  invitation: { perSecond: 10 * A_DAY, burst: 10 },
} as const satisfies Record<string, RateLimit>;

/** The rows in Console that limit people: `PERSON#<id>` / `RATE`, and `MAILS#<kind>`. */
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
    /** Counts an email before the change of which it tells. Throws RATE_LIMITED. */
    async takeMail(personId: string, kind: keyof typeof MAIL_LIMITS, nowMs: number): Promise<void> {
      const limit = MAIL_LIMITS[kind];
      const taken = await table.take(personMailsKey(personId, kind), {}, nowMs, limit);
      if (taken.allowed) return;
      const { retryAfterSeconds } = taken;
      const what =
        kind === 'notice' ? 'changes of roles, alerts, cards and keys' : 'invitations before approval';
      const message = `You can make ${limit.burst} ${what} in a day. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`;
      throw new ServiceError('RATE_LIMITED', { message, retryAfterSeconds });
    },
  };
}
