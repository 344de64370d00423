import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Organisation, organisation } from '../accounts/organisation.ts';
import { batchGetAcross, type Row } from '../core/database.ts';
import { memberKey, organisationKey, personKey, personLimiterKey, sessionKey } from '../core/keys.ts';
import { type Membership, membership, type Person, person, type Session, session } from './rows.ts';
import { type SessionCookie, sessionHash } from './session.ts';

/** The rows about the sender of a request to the console, read in one round trip. */
export interface SessionRows {
  readonly session: Session | undefined;
  readonly person: Person | undefined;
  readonly membership: Membership | undefined;
  readonly organisation: Organisation | undefined;
  /** The row that limits the person's requests. Empty if there is none. */
  readonly limiter: Row;
}

export type SessionCheckTable = ReturnType<typeof sessionCheckTable>;

export function sessionCheckTable(
  client: DynamoDBDocumentClient,
  consoleTable: string,
  apiKeysTable: string,
) {
  return {
    /**
     * Every read is strongly consistent and none is cached, so that the next request of a removed member is rejected.
     */
    async readSession({ organisationId, personId, secret }: SessionCookie): Promise<SessionRows> {
      const limiterKey = personLimiterKey(personId);
      const ofSession = sessionKey(sessionHash(secret));
      const ofPerson = personKey(personId);
      const ofMember = organisationId ? [memberKey(organisationId, personId)] : [];
      const rows = await batchGetAcross(client, {
        [consoleTable]: [ofSession, ofPerson, limiterKey, ...ofMember],
        [apiKeysTable]: organisationId ? [organisationKey(organisationId)] : [],
      });
      const rowOf = ({ pk, sk }: { pk: string; sk: string }) =>
        rows[consoleTable]?.find((row) => row['pk'] === pk && row['sk'] === sk);
      const [sessionRow, personRow, memberRow] = [ofSession, ofPerson, ...ofMember].map(rowOf);
      const organisationRow = rows[apiKeysTable]?.[0];
      return {
        session: sessionRow && v.parse(session, sessionRow),
        person: personRow && v.parse(person, personRow),
        membership: memberRow && v.parse(membership, memberRow),
        organisation: organisationRow && v.parse(organisation, organisationRow),
        limiter: rowOf(limiterKey) ?? {},
      };
    },
  };
}
