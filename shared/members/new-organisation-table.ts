import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import type { Recorder } from '../audit/recorder.ts';
import { ABSENT, changeTo, readRow, update, where } from '../core/expressions.ts';
import { creationsKey, organisationKey } from '../core/keys.ts';
import { addMember } from './member-table.ts';
import type { Membership } from './rows.ts';

const creations = v.object({ version: v.number() });

/** An organisation as the console creates it: pending, with the default limits and without services. */
interface NewOrganisation {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Organisations that people create in the console: rows in ApiKeys and in Console. */
export type NewOrganisationTable = ReturnType<typeof newOrganisationTable>;

export function newOrganisationTable(
  client: DynamoDBDocumentClient,
  tables: Readonly<Record<'console' | 'apiKeys', string>>,
  recorder: Recorder,
) {
  // Sets only attributes without a default: the function may not write status, prices or limits.
  const create = ({ id, name, createdAt }: NewOrganisation) =>
    update(tables.apiKeys, organisationKey(id), changeTo({ id, name, createdAt, version: 1 }), ABSENT);
  const count = (personId: string, earlier: number) =>
    update(
      tables.console,
      creationsKey(personId),
      changeTo({ version: earlier + 1 }),
      earlier === 0 ? ABSENT : where`version = ${earlier}`,
    );
  return {
    /** Returns how many organisations the person has created. */
    async getCreations(personId: string): Promise<number> {
      return (await readRow(client, creations, tables.console, creationsKey(personId)))?.version ?? 0;
    },
    /**
     * Creates an organisation and its owner in one transaction with the entry in the audit trail. Returns false if the
     * person has created another one since `creations` was read.
     */
    insertOrganisation(row: NewOrganisation, owner: Membership, earlier: number) {
      const after = { id: row.id, name: row.name, owner: owner.personId };
      return applyRecorded(
        client,
        [create(row), ...addMember(tables.console, owner), count(owner.personId, earlier)],
        recorder.record({ organisationId: row.id, target: 'organisation', after }),
      );
    },
  };
}
