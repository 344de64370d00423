import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { batchGet, getRow, type Row } from '../core/database.ts';
import { change, check, put, removal, update, where } from '../core/expressions.ts';
import { organisationKey, profileKey } from '../core/keys.ts';
import { type Profile, profile } from '../members/rows.ts';

const organisationRow = v.object({ organisationId: v.string() });
const expiringRow = v.object({ expiresAt: v.optional(v.number(), Number.POSITIVE_INFINITY) });

/** `ORG#<org>` / `PROFILE`. Expired ones count as deleted. */
export type ProfileTable = ReturnType<typeof profileTable>;

interface ProfileSave {
  readonly before: Profile | undefined;
  readonly after: Profile;
  readonly recorded: Pick<Change, 'before' | 'after'>;
  /** An operator may approve it at the same time. */
  readonly isForPending: boolean;
}

/** Absent `recorder`: only read, and some tests. `nowMs`: epoch milliseconds. */
export function profileTable(
  client: DynamoDBDocumentClient,
  { console: TableName, apiKeys }: Readonly<Record<'console' | 'apiKeys', string>>,
  recorder: Recorder = NO_RECORD,
  nowMs: () => number = Date.now,
) {
  const nowSeconds = () => Math.floor(nowMs() / 1000);
  const isKept = (row: Row) => v.parse(expiringRow, row).expiresAt > nowSeconds();
  const isPending = where`attribute_exists(pk) AND (attribute_not_exists(status) OR status = ${'PENDING'})`;
  const pendingCheck = (organisationId: string) => check(apiKeys, organisationKey(organisationId), isPending);
  const recordOf = (organisationId: string, change: Pick<Change, 'before' | 'after'>) =>
    recorder.record({ organisationId, target: 'profile', ...change });
  return {
    async getProfile(organisationId: string): Promise<Profile | undefined> {
      const row = await getRow(client, TableName, profileKey(organisationId));
      return row && isKept(row) ? v.parse(profile, row) : undefined;
    },
    /** By the ID of the organisation. */
    async getProfiles(organisationIds: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
      const rows = await batchGet(client, TableName, organisationIds.map(profileKey));
      return new Map(
        rows
          .filter(isKept)
          .map((row) => [v.parse(organisationRow, row).organisationId, v.parse(profile, row)]),
      );
    },
    /**
     * With the entry in the audit trail. Returns false if someone changed the profile, or approved the organisation,
     * since `before` was read.
     */
    saveProfile(organisationId: string, { before, after, recorded, isForPending }: ProfileSave) {
      const saved = put(
        TableName,
        { ...profileKey(organisationId), ...after, organisationId },
        before
          ? where`version = ${before.version}`
          : where`attribute_not_exists(pk) OR expiresAt <= ${nowSeconds()}`,
      );
      const writes = [saved, ...(isForPending ? [pendingCheck(organisationId)] : [])];
      return applyRecorded(client, writes, recordOf(organisationId, recorded));
    },
    /** The organisation was approved. Returns false if there is no expiry. */
    keepProfile(organisationId: string) {
      const isExpiring = where`expiresAt > ${nowSeconds()}`;
      const kept = update(TableName, profileKey(organisationId), change`REMOVE expiresAt`, isExpiring);
      const after = { expiresAt: null };
      return applyRecorded(client, [kept], recordOf(organisationId, { after }));
    },
    /** Of a pending organisation. Returns false if the profile was changed, or the organisation approved. */
    eraseProfile(organisationId: string, { version }: Profile) {
      const removed = Object.keys(profile.entries).filter((name) => name !== 'expiresAt');
      const erased = update(
        TableName,
        profileKey(organisationId),
        change`SET expiresAt = ${nowSeconds()} ${removal(removed)}`,
        where`version = ${version}`,
      );
      const writes = [erased, pendingCheck(organisationId)];
      return applyRecorded(client, writes, recordOf(organisationId, { after: { erased: true } }));
    },
  };
}
