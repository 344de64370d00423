import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { getRow } from '../core/database.ts';
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
    async getChoice(organisationId: string): Promise<AlertChoice | undefined> {
      const row = await getRow(client, tableName, alertSettingsKey(organisationId));
      return row && v.parse(alertChoice, row);
    },
    /** Replaces the choice. Returns false if it has changed since it was read. */
    saveChoice(organisationId: string, before: AlertChoice | undefined, after: AlertChoice) {
      const put = {
        TableName: tableName,
        Item: { ...alertSettingsKey(organisationId), ...after },
        ConditionExpression: before ? 'version = :version' : 'attribute_not_exists(pk)',
        ...(before && { ExpressionAttributeValues: { ':version': before.version } }),
      };
      const values = changedValues({ ...alertSettings(before) }, { ...alertSettings(after) });
      const record = recorder.record({ organisationId, target: 'alerts', ...values });
      return applyRecorded(client, [{ Put: put }], record);
    },
  };
}
