import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { collectRows } from '../core/database.ts';
import { MEMBER_PREFIX, memberKey, membershipKey, personPk } from '../core/keys.ts';
import { type Membership, membership, type Person } from './rows.ts';

/**
 * The memberships of a person in Console: `PERSON#<person>` / `MEMBER#<org>`, with the same attributes as the rows
 * `ORG#<org>` / `MEMBER#<person>`.
 */
export type MembershipTable = ReturnType<typeof membershipTable>;

export function membershipTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Returns all memberships of a person, including ended ones. */
    async listMemberships(personId: string): Promise<Membership[]> {
      const pages = paginateQuery(
        { client },
        {
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': personPk(personId), ':prefix': MEMBER_PREFIX },
        },
      );
      return (await collectRows(pages)).map((row) => v.parse(membership, row));
    },
    /**
     * Sets the name and the email address of a member, under both keys. Returns false if the member has been changed
     * since the row was read: they may have been removed and their name erased.
     */
    renameMember(
      { organisationId, personId, version }: Membership,
      { name, email }: Pick<Person, 'name' | 'email'>,
    ) {
      const change = {
        TableName: tableName,
        UpdateExpression: 'SET personName = :name, email = :email',
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':name': name, ':email': email, ':version': version },
      };
      const keys = [memberKey(organisationId, personId), membershipKey(personId, organisationId)];
      const writes = keys.map((Key) => ({ Update: { ...change, Key } }));
      // Not recorded: the name comes from the identity provider, so no one has changed the organisation.
      return applyRecorded(client, writes, []);
    },
  };
}
