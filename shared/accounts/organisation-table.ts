import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '../audit/audit-entry.ts';
import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { DAY_SECONDS } from '../core/clock.ts';
import { batchGet, collectRows } from '../core/database.ts';
import { ABSENT, changeTo, put, readRow, scan, update, where } from '../core/expressions.ts';
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
    getOrganisation: (id: string): Promise<Organisation | undefined> =>
      readRow(client, organisation, tableName, organisationKey(id)),
    async getOrganisations(ids: readonly string[]): Promise<Organisation[]> {
      const rows = await batchGet(client, tableName, ids.map(organisationKey));
      return rows.map((row) => v.parse(organisation, row));
    },
    /** Returns every organisation, for the CLI and the reconciliation. A scan. */
    async listOrganisations(): Promise<Organisation[]> {
      const input = scan(tableName, where`sk = ${ORGANISATION_SORT}`);
      const rows = await collectRows(paginateScan({ client }, input));
      return rows.map((row) => v.parse(organisation, row));
    },
    /** Returns false if the ID is taken. */
    insertOrganisation(row: Organisation) {
      const inserted = put(tableName, { ...organisationKey(row.id), ...row }, ABSENT);
      const { version: _, ...after } = row;
      return applyRecorded(client, [inserted], recorder.record({ organisationId: row.id, target, after }));
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
      const updated = update(
        tableName,
        organisationKey(before.id),
        changeTo({ ...changed.after, version: before.version + 1 }),
        where`version = ${before.version}`,
      );
      const record = { organisationId: before.id, target, ...changed, ...change };
      const isApproval = before.status === 'PENDING' && after.status === 'APPROVED';
      const event = isApproval ? [approvalEvent(tableName, before.id, Date.now())] : [];
      return applyRecorded(client, [updated, ...event], recorder.record(record));
    },
  };
}

/** Returns the write of the row from which `publish-events` publishes `Organisation Approved` (docs/operate/events.md). */
function approvalEvent(tableName: string, organisationId: string, nowMs: number) {
  const row = {
    pk: EVENTS_PK,
    sk: organisationSubject(organisationId),
    state: 'approved',
    publishedAtMs: nowMs,
    expiresAt: Math.floor(nowMs / 1000) + EVENT_RETENTION_SECONDS,
  };
  return put(tableName, row, where`attribute_not_exists(pk) OR publishedAtMs < ${nowMs}`);
}
