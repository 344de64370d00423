import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { batchGet, getRow, wasApplied } from '../core/database.ts';
import { organisationKey, profileChecksKey, profileKey } from '../core/keys.ts';
import { type Profile, profile } from './rows.ts';

const checks = v.object({ used: v.number() });
const organisationRow = v.object({ organisationId: v.string() });

/**
 * Profiles in Console: `ORG#<org>` / `PROFILE`, and the number of look-ups on a day: `ORG#<org>` / `CHECKS#<day>`, or
 * for the stage `ORG#STAGE` / `CHECKS#<day>`.
 */
export interface ProfileTable {
  getProfile(organisationId: string): Promise<Profile | undefined>;
  /** Returns the existing profiles, by the ID of the organisation. */
  getProfiles(organisationIds: readonly string[]): Promise<ReadonlyMap<string, Profile>>;
  /** Returns how many look-ups were counted for the organisation on this day (`yyyy-mm-dd`, UTC). */
  countChecks(organisationId: string, day: string): Promise<number>;
  /**
   * Counts `count` look-ups on this day for an organisation, or for the stage if `organisationId` is undefined. Returns
   * false if the total would exceed `most`.
   */
  takeChecks(organisationId: string | undefined, day: string, count: number, most: number): Promise<boolean>;
  /**
   * Stores a profile in one transaction with the entry in the audit trail. `before` is the profile that was read, or
   * undefined if there was none. Returns false if someone else changed it, or approved the organisation, in the
   * meantime.
   */
  saveProfile(organisationId: string, save: ProfileSave): Promise<boolean>;
}

export interface ProfileSave {
  readonly before: Profile | undefined;
  readonly after: Profile;
  /** The values that the audit trail records. */
  readonly recorded: Pick<Change, 'before' | 'after'>;
  /** Whether the organisation must still be pending. An operator may approve it at the same time. */
  readonly isForPending: boolean;
}

export interface ProfileTableNames {
  readonly console: string;
  readonly apiKeys: string;
}

/** The row of a day's look-ups is deleted this long after the day began. */
const CHECKS_KEPT_MS = 7 * 24 * 3_600_000;

/** `recorder` records changes. Absent if the table is only read, and in some tests. */
export function profileTable(
  client: DynamoDBDocumentClient,
  { console: tableName, apiKeys }: ProfileTableNames,
  recorder: Recorder = NO_RECORD,
): ProfileTable {
  return {
    async getProfile(organisationId) {
      const row = await getRow(client, tableName, profileKey(organisationId));
      return row && v.parse(profile, row);
    },
    async getProfiles(organisationIds) {
      const rows = await batchGet(client, tableName, organisationIds.map(profileKey));
      return new Map(
        rows.map((row) => [v.parse(organisationRow, row).organisationId, v.parse(profile, row)]),
      );
    },
    async countChecks(organisationId, day) {
      const row = await getRow(client, tableName, profileChecksKey(organisationId, day));
      return row ? v.parse(checks, row).used : 0;
    },
    takeChecks(organisationId, day, count, most) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: profileChecksKey(organisationId, day),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD used :count',
        ConditionExpression: 'attribute_not_exists(used) OR used <= :left',
        ExpressionAttributeValues: {
          ':count': count,
          ':left': most - count,
          ':expiresAt': Math.ceil((Date.parse(day) + CHECKS_KEPT_MS) / 1000),
        },
      });
      return count > most ? Promise.resolve(false) : wasApplied(client.send(command));
    },
    saveProfile(organisationId, { before, after, recorded, isForPending }) {
      const put = {
        TableName: tableName,
        Item: { ...profileKey(organisationId), ...after, organisationId },
        ConditionExpression: before ? 'version = :version' : 'attribute_not_exists(pk)',
        ...(before && { ExpressionAttributeValues: { ':version': before.version } }),
      };
      const requirePending = {
        TableName: apiKeys,
        Key: organisationKey(organisationId),
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(#status) OR #status = :pending)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':pending': 'PENDING' },
      };
      const writes = [{ Put: put }, ...(isForPending ? [{ ConditionCheck: requirePending }] : [])];
      const record = recorder.record({ organisationId, target: 'profile', ...recorded });
      return applyRecorded(client, writes, record);
    },
  };
}
