import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded } from '../audit/audit-table.ts';
import { changeTo, listRows, query, update, where } from '../core/expressions.ts';
import { MEMBER_PREFIX, personPk } from '../core/keys.ts';
import { memberKeys } from './member-table.ts';
import { type Membership, membership, type Person } from './rows.ts';

/**
 * The memberships of a person in Console: `PERSON#<person>` / `MEMBER#<org>`, with the same attributes as the rows
 * `ORG#<org>` / `MEMBER#<person>`.
 */
export type MembershipTable = ReturnType<typeof membershipTable>;

export function membershipTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Returns all memberships of a person, including ended ones. */
    listMemberships(personId: string): Promise<Membership[]> {
      const keys = where`pk = ${personPk(personId)} AND begins_with(sk, ${MEMBER_PREFIX})`;
      return listRows(client, membership, query(tableName, keys));
    },
    /**
     * Sets the name, the email address and the day of the last sign-in of a member, under both keys. Returns false if
     * the member has been changed since the row was read: they may have been removed and their name erased.
     */
    updateSignedIn(
      member: Membership,
      { name, email, signedInOn }: Pick<Person, 'name' | 'email'> & Pick<Membership, 'signedInOn'>,
    ) {
      const changed = changeTo({ personName: name, email, signedInOn });
      const isSame = where`version = ${member.version}`;
      const writes = memberKeys(member).map((key) => update(tableName, key, changed, isSame));
      // Not recorded: this comes from the identity provider, so no one has changed the organisation.
      return applyRecorded(client, writes, []);
    },
  };
}
