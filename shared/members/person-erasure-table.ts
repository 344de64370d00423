import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded } from '../audit/audit-table.ts';
import type { Recorder } from '../audit/recorder.ts';
import { changeTo, PRESENT, readRow, update, where } from '../core/expressions.ts';
import { personKey } from '../core/keys.ts';
import { memberKeys, memberTarget } from './member-table.ts';
import { type Membership, type Person, person } from './rows.ts';

/**
 * Replaces the names and email addresses of people in Console. Their rows remain, because the audit trail contains
 * their IDs.
 */
export type PersonErasureTable = ReturnType<typeof personErasureTable>;

/** The text that lists show instead of an erased person's name. */
const ERASED_NAME = 'Removed member';

export function personErasureTable(client: DynamoDBDocumentClient, tableName: string, recorder: Recorder) {
  const after = { erased: true };
  return {
    getPerson: (personId: string): Promise<Person | undefined> =>
      readRow(client, person, tableName, personKey(personId)),
    /** Replaces the name and the email address in a membership. Returns false if the person is a member again. */
    eraseMembership(member: Membership) {
      const erased = changeTo({ personName: ERASED_NAME, email: '', signedInOn: undefined });
      const isRemoved = where`status = ${'REMOVED'}`;
      const writes = memberKeys(member).map((key) => update(tableName, key, erased, isRemoved));
      const { organisationId, personId } = member;
      const record = recorder.record({ organisationId, target: memberTarget(personId), after });
      return applyRecorded(client, writes, record);
    },
    /** Replaces the name and the email address in the person's row. Returns false if there is no such row. */
    erasePerson(personId: string) {
      const erased = changeTo({ name: ERASED_NAME, email: '' });
      const write = update(tableName, personKey(personId), erased, PRESENT);
      return applyRecorded(client, [write], recorder.record({ target: `person ${personId}`, after }));
    },
  };
}
