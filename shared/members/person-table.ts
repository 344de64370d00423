import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { change, changeTo, PRESENT, rowUpdate, update, where } from '../core/expressions.ts';
import { personKey } from '../core/keys.ts';
import { type Person, person } from './rows.ts';

/** People in Console: `PERSON#<id>` / `PERSON`. */
export type PersonTable = ReturnType<typeof personTable>;

export function personTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Stores the identity provider's data about a person who signs in. Returns the whole row. */
    async savePerson({
      id,
      email,
      name,
      createdAt,
    }: Pick<Person, 'id' | 'email' | 'name' | 'createdAt'>): Promise<Person> {
      const answer = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: personKey(id),
          ...rowUpdate(
            change`SET id = ${id}, email = ${email}, name = ${name}, createdAt = if_not_exists(createdAt, ${createdAt})`,
            where`attribute_not_exists(pk) OR id = ${id}`,
          ),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return v.parse(person, answer.Attributes);
    },
    /**
     * Ends all of a person's sessions that began at or before `signedOutAt` (ISO), in one transaction with the entry in
     * the audit trail. Returns false if there is no such person.
     */
    signOutEverywhere(personId: string, signedOutAt: string, record: readonly TransactItem[]) {
      const write = update(tableName, personKey(personId), changeTo({ signedOutAt }), PRESENT);
      return applyRecorded(client, [write], record);
    },
  };
}
