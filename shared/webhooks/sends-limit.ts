import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expiringLimiterTable } from '../accounts/expiring-limiter-table.ts';
import type { Organisation, RateLimit } from '../accounts/organisation.ts';
import { DAY_MS } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { replayLimiterKey, sendsLimiterKey } from '../core/keys.ts';

/**
 * For the tests and resent deliveries of an organisation. Anyone can create one, and each delivery to an endpoint that
 * does not respond holds up those of other organisations.
 */
export const SENDS_LIMIT: RateLimit = { perSecond: 10 / 60, burst: 10 };

/** For all organisations of the stage that are not approved: at 15 s each, three deliveries in progress. */
const UNAPPROVED_LIMIT: RateLimit = { perSecond: 12 / 60, burst: 12 };
const UNAPPROVED = 'unapproved organisations';
/** For a person in those organisations, of whom some could otherwise use up the limit of all. */
const PERSON_LIMIT: RateLimit = { perSecond: (50 * 1000) / DAY_MS, burst: SENDS_LIMIT.burst };

type Sender = Pick<Organisation, 'id' | 'status'>;

/** Returns a function that counts a delivery that a member sends. It throws RATE_LIMITED. */
export function sendCounter(client: DynamoDBDocumentClient, tableName: string) {
  const limiter = expiringLimiterTable(client, tableName);
  async function take(id: string, who: string, limit: RateLimit, nowMs: number, period = 'within a minute') {
    const { allowed, retryAfterSeconds } = await limiter.take(sendsLimiterKey(id), {}, nowMs, limit);
    if (allowed) return;
    const message = `${who} can send ${limit.burst} tests and resent deliveries ${period}. Try again in ${retryAfterSeconds} s.`;
    throw new ServiceError('RATE_LIMITED', { message, retryAfterSeconds });
  }
  return async ({ id, status }: Sender, personId: string, nowMs: number): Promise<void> => {
    await take(id, 'An organisation', SENDS_LIMIT, nowMs);
    if (status === 'APPROVED') return;
    await take(personId, 'A person', PERSON_LIMIT, nowMs, 'at once before approval');
    await take(UNAPPROVED, 'All organisations before approval together', UNAPPROVED_LIMIT, nowMs);
  };
}

/** As many as the others in a minute, in a queue of at most a day: after an outage, members resend many at once. */
const REPLAY_LIMIT: RateLimit = {
  perSecond: SENDS_LIMIT.perSecond,
  burst: (SENDS_LIMIT.perSecond * DAY_MS) / 1000,
};

/**
 * Returns a function that returns when an organisation's next replayed delivery is due (epoch milliseconds). It throws
 * RATE_LIMITED.
 */
export function replayTimes(client: DynamoDBDocumentClient, tableName: string) {
  const limiter = expiringLimiterTable(client, tableName);
  return async (organisationId: string, nowMs: number): Promise<number> => {
    const { allowed, resetSeconds } = await limiter.take(
      replayLimiterKey(organisationId),
      {},
      nowMs,
      REPLAY_LIMIT,
    );
    if (allowed) return nowMs + resetSeconds * 1000 - 1000 / REPLAY_LIMIT.perSecond;
    const message = `At most ${REPLAY_LIMIT.burst.toLocaleString('en-NG')} deliveries of an organisation can wait to be resent. Try again in an hour.`;
    throw new ServiceError('RATE_LIMITED', { message, retryAfterSeconds: 3600 });
  };
}
