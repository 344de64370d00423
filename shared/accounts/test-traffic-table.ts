import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Row, type RowUpdate, updateRow } from '../core/database.ts';
import { TEST_TRAFFIC_KEY } from '../core/keys.ts';
import {
  hasLease,
  limitsOfUnapproved,
  newLease,
  nextUpdate,
  rejection,
  releaseUpdate,
  type TestLease,
  type TestTrafficLimits,
  type TestTrafficRejection,
} from './test-traffic.ts';

interface TestRequest {
  readonly organisationId: string;
  readonly isApproved: boolean;
  readonly operationId: string;
  readonly row: Row;
}

/** The budget for look-ups with test keys: one row of ApiKeys. */
export type TestTrafficTable = ReturnType<typeof testTrafficTable>;

const MAX_ATTEMPTS = 4;
/** The rejection if no attempt succeeds, because other requests change the row each time. */
const OUTRUN: TestTrafficRejection = { kind: 'rejected', limit: 'test-traffic-stage', retryAfterSeconds: 1 };

export function testTrafficTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  ofApproved: TestTrafficLimits,
) {
  const send = (update: RowUpdate) => updateRow(client, tableName, TEST_TRAFFIC_KEY, update, 'ALL_NEW');

  return {
    /**
     * Counts a look-up as in progress, usually with one write. During a flood, the row that was already read suffices
     * to reject the look-up, without a call.
     */
    async take(
      { organisationId, isApproved, operationId, row: read }: TestRequest,
      nowMs: number,
    ): Promise<{ readonly kind: 'taken'; readonly lease: TestLease } | TestTrafficRejection> {
      const limits = isApproved ? ofApproved : limitsOfUnapproved(ofApproved);
      const lease = newLease(organisationId, operationId, nowMs);
      let row = read;
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const rejected = rejection(limits, row, organisationId, nowMs);
        if (rejected) return rejected;
        const { takes, ...update } = nextUpdate(limits, row, lease, nowMs);
        const result = await send(update);
        // The SDK retries an update whose response was lost. If the first attempt took the last lease, the retry is
        // rejected although the lease is taken.
        if (takes && (result.isApplied || hasLease(result.row, lease))) return { kind: 'taken', lease };
        row = result.row;
      }
      return OUTRUN;
    },
    /** Ends a look-up. Without this, it counts until its lease expires after 30 s. */
    async release(lease: TestLease) {
      await send(releaseUpdate(lease));
    },
  };
}
