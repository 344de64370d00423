import * as v from 'valibot';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { BASE_32 } from '../../core/ids.ts';
import { day, requireDayOrder } from '../../http/console/day-query.ts';
import { limit } from '../../http/query.ts';
import { type InvitationTable, invitationTable } from '../../members/invitation-table.ts';
import { type MemberNames, type MemberReads, memberNames } from '../../members/member-names.ts';
import { memberTable } from '../../members/member-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { type AuditTable, auditTable } from '../audit-table.ts';
import { listChanges } from './list-changes.ts';
import type { ChangesView } from './views.ts';

export interface ChangeDependencies {
  readonly audit: Pick<AuditTable, 'readEntries'>;
  readonly members: MemberReads;
  readonly invitations: Pick<InvitationTable, 'listInvitations'>;
}

/** Creates the tables of the route. Called once per instance. */
export function changeDependencies(): ChangeDependencies {
  const client = database();
  return {
    audit: auditTable(client, setting('AUDIT_TRAIL_TABLE')),
    members: memberTable(client, setting('CONSOLE_TABLE')),
    invitations: invitationTable(client, setting('CONSOLE_TABLE')),
  };
}

/** Reads the names of the members and the addresses of stored invitations, because a search also matches these. */
export function readNames({
  members,
  invitations,
}: Omit<ChangeDependencies, 'audit'>): Prefetch<MemberNames> {
  return async (organisationId) => {
    const [rows, sent] = await Promise.all([
      members.listMembers(organisationId),
      invitations.listInvitations(organisationId),
    ]);
    return new Map([...memberNames(rows), ...sent.map(({ id, email }) => [id, email] as const)]);
  };
}

const MOST_SEARCHED = 100;
const ULID = new RegExp(`^[0-7][${BASE_32}]{25}$`);

/** The query string of GET /audit. */
export const changesQuery = v.strictObject({
  search: v.optional(
    v.pipe(v.string(), v.maxLength(MOST_SEARCHED, `Enter at most ${MOST_SEARCHED} characters.`)),
    '',
  ),
  from: day,
  to: day,
  cursor: v.optional(v.pipe(v.string(), v.regex(ULID, 'Send the next_cursor of the previous page.'))),
  limit,
});

/** GET /audit: the changes in the organisation, and their authors. */
export function showChanges({
  audit,
}: ChangeDependencies): ConsoleRun<ConsoleRequest, typeof changesQuery, MemberNames> {
  return async ({ organisation }, { search, from, to, cursor, limit: most }, names) => {
    requireDayOrder(from, to);
    const page = { cursor, limit: most };
    const changes = await listChanges(organisation.id, { search, from, to }, page, names, audit);
    return { data: changes satisfies ChangesView };
  };
}
