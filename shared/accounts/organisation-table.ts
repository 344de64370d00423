import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { DAY_SECONDS } from '../core/clock.ts';
import { batchGet, collectRows, getRow } from '../core/database.ts';
import { EVENTS_PK, ORGANISATION_SORT, organisationKey, organisationSubject } from '../core/keys.ts';
import { type Organisation, organisation } from './organisation.ts';

/** Organisations in ApiKeys: `ORG#<org>` / `ORG`. */
export type OrganisationTable = ReturnType<typeof organisationTable>;

const EVENT_RETENTION_SECONDS = 400 * DAY_SECONDS;

/** `recorder` records changes. Absent for code that only reads, and for some demo data and tests. */
export function organisationTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const target = 'organisation';
  return {
    async getOrganisation(id: string): Promise<Organisation | undefined> {
      const row = await getRow(client, tableName, organisationKey(id));
      return row && v.parse(organisation, row);
    },
    /** Returns the existing organisations with these IDs, in any order. */
    async getOrganisations(ids: readonly string[]): Promise<Organisation[]> {
      const rows = await batchGet(client, tableName, ids.map(organisationKey));
      return rows.map((row) => v.parse(organisation, row));
    },
    /** Returns every organisation, for the CLI and the reconciliation. A scan. */
    async listOrganisations(): Promise<Organisation[]> {
      const rows = await collectRows(
        paginateScan(
          { client },
          {
            TableName: tableName,
            ConsistentRead: true,
            FilterExpression: 'sk = :sk',
            ExpressionAttributeValues: { ':sk': ORGANISATION_SORT },
          },
        ),
      );
      return rows.map((row) => v.parse(organisation, row));
    },
    /** Returns false if the ID is taken. */
    insertOrganisation(row: Organisation) {
      const put = {
        TableName: tableName,
        Item: { ...organisationKey(row.id), ...row },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const { version: _, ...after } = row;
      return applyRecorded(
        client,
        [{ Put: put }],
        recorder.record({ organisationId: row.id, target, after }),
      );
    },
    /**
     * Writes the attributes in which `after` differs from `before`, and increments the version. Returns false if the
     * row was changed in the meantime. The approval of a pending organisation is written together with the request to
     * publish its event, so that neither exists without the other. `change` is what the audit trail records. @default
     * the values that differ
     */
    updateOrganisation(
      before: Organisation,
      after: Organisation,
      change?: Pick<Change, 'target' | 'before' | 'after'>,
    ) {
      const changed = changedValues(before, after);
      const update = {
        TableName: tableName,
        Key: organisationKey(before.id),
        ...updateOf({ ...changed.after, version: before.version + 1 }),
        ConditionExpression: '#version = :read',
      };
      update.ExpressionAttributeValues[':read'] = before.version;
      const record = { organisationId: before.id, target, ...changed, ...change };
      const isApproval = before.status === 'PENDING' && after.status === 'APPROVED';
      const event = isApproval ? [{ Put: approvalEvent(tableName, before.id, Date.now()) }] : [];
      return applyRecorded(client, [{ Update: update }, ...event], recorder.record(record));
    },
  };
}

/** Returns the row from which `publish-events` publishes `Organisation Approved` (docs/events.md). */
function approvalEvent(tableName: string, organisationId: string, nowMs: number) {
  return {
    TableName: tableName,
    Item: {
      pk: EVENTS_PK,
      sk: organisationSubject(organisationId),
      state: 'approved',
      publishedAtMs: nowMs,
      expiresAt: Math.floor(nowMs / 1000) + EVENT_RETENTION_SECONDS,
    },
    ConditionExpression: 'attribute_not_exists(pk) OR publishedAtMs < :now',
    ExpressionAttributeValues: { ':now': nowMs },
  };
}

/** Returns the update that sets these attributes and removes those whose value is null. */
function updateOf(values: Readonly<Record<string, unknown>>) {
  const names = Object.keys(values);
  const removed = names.filter((name) => values[name] === null);
  const set = names.filter((name) => !removed.includes(name));
  const assignments = set.map((name) => `#${name} = :${name}`).join(', ');
  const removal = removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : '';
  return {
    UpdateExpression: `SET ${assignments}${removal}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, values[name]])),
  };
}
