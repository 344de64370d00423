import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { collectRows, getRow } from '../core/database.ts';
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
    async listMembers(organisationId: string): Promise<Membership[]> {
      const pages = paginateQuery(
        { client },
        {
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': consolePk(organisationId), ':prefix': MEMBER_PREFIX },
        },
      );
      return (await collectRows(pages)).map((row) => v.parse(membership, row));
    },
    async getMember(organisationId: string, personId: string): Promise<Membership | undefined> {
      const row = await getRow(client, tableName, memberKey(organisationId, personId));
      return row && v.parse(membership, row);
    },
    /**
     * Changes the role or the status of a member. `witness` is another owner, who must still be one. Returns false if
     * the member was changed in the meantime, or if the witness is no longer an owner.
     */
    changeMember(before: Membership, { role, status }: RoleAndStatus, witness?: Membership) {
      const { organisationId, personId, version } = before;
      const change = {
        TableName: tableName,
        UpdateExpression: 'SET #role = :role, #status = :status, version = :next',
        ConditionExpression: 'version = :version',
        ExpressionAttributeNames: { '#role': 'role', '#status': 'status' },
        ExpressionAttributeValues: {
          ':role': role,
          ':status': status,
          ':version': version,
          ':next': version + 1,
        },
      };
      const writes = [
        { Update: { ...change, Key: memberKey(organisationId, personId) } },
        { Update: { ...change, Key: membershipKey(personId, organisationId) } },
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
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: memberKey(organisationId, personId),
      ConditionExpression: '#role = :role AND #status = :active',
      ExpressionAttributeNames: { '#role': 'role', '#status': 'status' },
      ExpressionAttributeValues: { ':role': role, ':active': 'ACTIVE' },
    },
  };
}

/**
 * Returns the `Put` items that add a member, under both keys. They fail the transaction if the person is already a
 * member. A removed member may be added again.
 */
export function addMember(tableName: string, row: Membership): TransactItem[] {
  const { organisationId, personId } = row;
  const keys = [memberKey(organisationId, personId), membershipKey(personId, organisationId)];
  return keys.map((key) => ({
    Put: {
      TableName: tableName,
      Item: { ...key, ...row },
      ConditionExpression: 'attribute_not_exists(pk) OR (#status = :removed AND version < :version)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':removed': 'REMOVED', ':version': row.version },
    },
  }));
}
