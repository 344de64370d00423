import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { ABSENT, listRows, put, query, where } from '../core/expressions.ts';
import { ALERT_SETTINGS_PREFIX, alertSettingsKey, alertsPk } from '../core/keys.ts';
import { memberTarget } from '../members/member-table.ts';
import { type AlertChoice, alertChoice, type OwnChoice } from './alert.ts';
import type { AlertKind } from './alert-names.ts';

/** Members' choices of emails, in Console: `ALERTS#<org>` / `SETTINGS#<person>`. */
export type AlertChoiceTable = ReturnType<typeof alertChoiceTable>;

/** `recorder` records changes. Absent if the table is only read, and in some tests. */
export function alertChoiceTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    /** Returns the choices of all members. */
    listChoices(organisationId: string): Promise<AlertChoice[]> {
      const keys = where`pk = ${alertsPk(organisationId)} AND begins_with(sk, ${ALERT_SETTINGS_PREFIX})`;
      return listRows(client, alertChoice, query(tableName, keys));
    },
    /** Replaces a member's choice, in which `kind` changed. Returns false if it has changed since it was read. */
    saveChoice(organisationId: string, after: OwnChoice, kind: AlertKind) {
      const { personId, version } = after;
      const saved = put(
        tableName,
        { ...alertSettingsKey(organisationId, personId), ...after },
        version > 1 ? where`version = ${version - 1}` : ABSENT,
      );
      const isWanted = after.wanted.includes(kind);
      const values = { before: { [kind]: !isWanted }, after: { [kind]: isWanted } };
      const record = recorder.record({ organisationId, target: memberTarget(personId), ...values });
      return applyRecorded(client, [saved], record);
    },
  };
}
