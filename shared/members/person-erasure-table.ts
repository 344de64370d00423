import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import type { Recorder } from '../audit/recorder.ts';
import { getRow } from '../core/database.ts';
import { memberKey, membershipKey, personKey } from '../core/keys.ts';
import { memberTarget } from './member-table.ts';
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
    async getPerson(personId: string): Promise<Person | undefined> {
      const row = await getRow(client, tableName, personKey(personId));
      return row && v.parse(person, row);
    },
    /** Replaces the name and the email address in a membership. Returns false if the person is a member again. */
    eraseMembership({ organisationId, personId }: Membership) {
      const erase = {
        TableName: tableName,
        UpdateExpression: 'SET personName = :name, email = :none',
        ConditionExpression: '#status = :removed',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':name': ERASED_NAME, ':none': '', ':removed': 'REMOVED' },
      };
      const keys = [memberKey(organisationId, personId), membershipKey(personId, organisationId)];
      const writes = keys.map((Key) => ({ Update: { ...erase, Key } }));
      return applyRecorded(
        client,
        writes,
        recorder.record({ organisationId, target: memberTarget(personId), after }),
      );
    },
    /** Replaces the name and the email address in the person's row. Returns false if there is no such row. */
    erasePerson(personId: string) {
      const erase = {
        TableName: tableName,
        Key: personKey(personId),
        UpdateExpression: 'SET #name = :name, email = :none',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':name': ERASED_NAME, ':none': '' },
      };
      return applyRecorded(
        client,
        [{ Update: erase }],
        recorder.record({ target: `person ${personId}`, after }),
      );
    },
  };
}
