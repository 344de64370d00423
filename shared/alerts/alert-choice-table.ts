import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { ABSENT, put, readRow, where } from '../core/expressions.ts';
import { alertSettingsKey } from '../core/keys.ts';
import { type AlertChoice, alertChoice, alertSettings } from './alert.ts';

/** Organisations' choices of alerts, in Console: `ALERTS#<org>` / `SETTINGS`. */
export type AlertChoiceTable = ReturnType<typeof alertChoiceTable>;

/** `recorder` records changes. Absent if the table is only read, and in some tests. */
export function alertChoiceTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    getChoice: (organisationId: string): Promise<AlertChoice | undefined> =>
      readRow(client, alertChoice, tableName, alertSettingsKey(organisationId)),
    /** Replaces the choice. Returns false if it has changed since it was read. */
    saveChoice(organisationId: string, before: AlertChoice | undefined, after: AlertChoice) {
      const saved = put(
        tableName,
        { ...alertSettingsKey(organisationId), ...after },
        before ? where`version = ${before.version}` : ABSENT,
      );
      const values = changedValues({ ...alertSettings(before) }, { ...alertSettings(after) });
      const record = recorder.record({ organisationId, target: 'alerts', ...values });
      return applyRecorded(client, [saved], record);
    },
  };
}
