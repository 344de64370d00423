import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { change, check, listRows, put, query, readRow, update, where } from '../core/expressions.ts';
import { consolePk, MEMBER_PREFIX, memberKey, membershipKey } from '../core/keys.ts';
import type { Role } from '../core/member-role.ts';
import { type Membership, membership } from './rows.ts';

/** Members in Console: `ORG#<org>` / `MEMBER#<person>`, and the same row under `PERSON#<person>` / `MEMBER#<org>`. */
export type MemberTable = ReturnType<typeof memberTable>;

export type RoleAndStatus = Pick<Membership, 'role' | 'status'>;

/** Returns how the audit trail identifies a member: by ID, as it contains no names or email addresses of members. */
export const memberTarget = (personId: string) => `member ${personId}`;

/** `recorder` records changes. Absent if the table is only read, and in some tests. */
export function memberTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    /** Returns all members of an organisation, including removed ones. */
    listMembers(organisationId: string): Promise<Membership[]> {
      const keys = where`pk = ${consolePk(organisationId)} AND begins_with(sk, ${MEMBER_PREFIX})`;
      return listRows(client, membership, query(tableName, keys));
    },
    getMember: (organisationId: string, personId: string): Promise<Membership | undefined> =>
      readRow(client, membership, tableName, memberKey(organisationId, personId)),
    /**
     * Changes the role or the status of a member. `witness` is another owner, who must still be one. Returns false if
     * the member was changed in the meantime, or if the witness is no longer an owner.
     */
    changeMember(before: Membership, { role, status }: RoleAndStatus, witness?: Membership) {
      const { organisationId, personId, version } = before;
      const changed = change`SET role = ${role}, status = ${status}, version = ${version + 1}`;
      const writes = [
        ...memberKeys(before).map((key) => update(tableName, key, changed, where`version = ${version}`)),
        ...(witness ? [requireRole(tableName, witness, witness.role)] : []),
      ];
      const values = changedValues({ role: before.role, status: before.status }, { role, status });
      const record = recorder.record({ organisationId, target: memberTarget(personId), ...values });
      return applyRecorded(client, writes, record);
    },
  };
}

/** Returns a check that fails the transaction unless this member is active and has this role. */
export function requireRole(
  tableName: string,
  { organisationId, personId }: Pick<Membership, 'organisationId' | 'personId'>,
  role: Role,
): TransactItem {
  const key = memberKey(organisationId, personId);
  return check(tableName, key, where`role = ${role} AND status = ${'ACTIVE'}`);
}

export const memberKeys = ({ organisationId, personId }: Pick<Membership, 'organisationId' | 'personId'>) => [
  memberKey(organisationId, personId),
  membershipKey(personId, organisationId),
];

/**
 * Returns the `Put` items that add a member, under both keys. They fail the transaction if the person is already a
 * member. A removed member may be added again.
 */
export function addMember(tableName: string, row: Membership): TransactItem[] {
  const removed = where`status = ${'REMOVED'} AND version < ${row.version}`;
  const condition = where`attribute_not_exists(pk) OR (${removed})`;
  return memberKeys(row).map((key) => put(tableName, { ...key, ...row }, condition));
}
