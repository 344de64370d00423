import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { batchGet, type Row, wasApplied } from '../core/database.ts';
import {
  ABSENT,
  type Expression,
  listRows,
  PRESENT,
  put,
  query,
  sendWrite,
  where,
} from '../core/expressions.ts';
import { alertDayKey, alertedEventKey, alertKey, alertMailKey, alertsPk, outageKey } from '../core/keys.ts';
import { type Alert, alert, MAILED_ONLY, type Outage, outage } from './alert.ts';

export const alertedEvent = v.object({
  alertId: v.string(),
  /** The position of the alert among those of its day and type, from 1. 0 if an earlier event began the alert. */
  number: v.number(),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type AlertedEvent = v.InferOutput<typeof alertedEvent>;

/** The row that counts the alerts about one type of event on a day. */
export const alertDay = v.object({ alertCount: v.number(), expiresAt: v.number() });

/** The email to one member about an event. REJECTED: SES did not accept it, so it may be sent again. */
export const sentMail = v.object({ state: v.picklist(['SENT', 'REJECTED']), expiresAt: v.number() });
type MailState = v.InferOutput<typeof sentMail>['state'];

interface AlertState {
  /** Present if the event has already become an alert. */
  readonly event: AlertedEvent | undefined;
  /** The number of alerts about events of this type that are stored on this day. */
  readonly storedToday: number;
  /** The last one. */
  readonly outage: Outage | undefined;
}

export interface EventRef {
  readonly organisationId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The day (`yyyy-mm-dd`, Africa/Lagos) for which the alert is counted. */
  readonly day: string;
}

/** The alerts of organisations in Console, below `ALERTS#<org>`. */
export type AlertTable = ReturnType<typeof alertTable>;

const MOST_SHOWN = 200;
/** Anyone can cause rejected keys, which must not push other alerts off the page. */
const MOST_SHOWN_OF_TITLE = 50;
/** Sorts after every ISO time. */
const END = '9999';

export function alertTable(client: DynamoDBDocumentClient, tableName: string) {
  const putMail = (
    { organisationId, eventId }: EventRef,
    personId: string,
    row: v.InferOutput<typeof sentMail>,
    condition: Expression,
  ) =>
    sendWrite(
      client,
      put(tableName, { ...alertMailKey(organisationId, eventId, personId), ...row }, condition),
    );
  const putOutage = (organisationId: string, after: Outage) =>
    put(
      tableName,
      { ...outageKey(organisationId), ...after },
      after.version > 1 ? where`version = ${after.version - 1}` : ABSENT,
    );
  return {
    /** Returns the alerts since this ISO time, newest first: at most the newest 50 of each title, and 200 in all. */
    async listAlerts(organisationId: string, since: string): Promise<Alert[]> {
      const [first, last] = [alertKey(organisationId, since).sk, alertKey(organisationId, END).sk];
      const keys = where`pk = ${alertsPk(organisationId)} AND sk BETWEEN ${first} AND ${last}`;
      const rows = await listRows(client, alert, query(tableName, keys, { ScanIndexForward: false }));
      const shown = new Map<string, number>();
      const isShown = ({ title }: Alert) => {
        const count = (shown.get(title) ?? 0) + 1;
        shown.set(title, count);
        return count <= MOST_SHOWN_OF_TITLE;
      };
      return rows.filter(isShown).slice(0, MOST_SHOWN);
    },
    async getState({ organisationId, eventId, eventType, day }: EventRef): Promise<AlertState> {
      const keys = [
        alertedEventKey(organisationId, eventId),
        alertDayKey(organisationId, day, eventType),
        outageKey(organisationId),
      ];
      const rows = await batchGet(client, tableName, keys);
      const [event, counted, last] = keys.map(({ sk }) => rows.find((row: Row) => row['sk'] === sk));
      return {
        event: event && v.parse(alertedEvent, event),
        storedToday: counted ? v.parse(alertDay, counted).alertCount : 0,
        outage: last && v.parse(outage, last),
      };
    },
    /**
     * Stores an alert, unless it is only emailed, and counts it, and the outage that it began. Returns false if the event
     * is already an alert, or if another alert was stored in the meantime.
     */
    insertAlert(
      { organisationId, eventId, eventType, day }: EventRef,
      row: Alert,
      storedToday: number,
      began?: Outage,
    ) {
      const { id: alertId, expiresAt } = row;
      const number = storedToday + 1;
      const event: AlertedEvent = { alertId, number, expiresAt };
      const counted = { ...alertDayKey(organisationId, day, eventType), alertCount: number, expiresAt };
      const writes = [
        put(tableName, { ...alertedEventKey(organisationId, eventId), ...event }, ABSENT),
        ...(MAILED_ONLY.includes(row.kind)
          ? []
          : [put(tableName, { ...alertKey(organisationId, alertId), ...row }, ABSENT)]),
        put(tableName, counted, storedToday > 0 ? where`alertCount = ${storedToday}` : ABSENT),
        ...(began ? [putOutage(organisationId, began)] : []),
      ];
      return applyRecorded(client, writes, []);
    },
    /** Changes the alert about an outage. Returns false if the event or another one has changed it in the meantime. */
    continueOutage({ organisationId, eventId }: EventRef, row: Alert, after: Outage) {
      const event: AlertedEvent = { alertId: row.id, number: 0, expiresAt: row.expiresAt };
      const isSame = where`attribute_not_exists(pk) OR at = ${row.at}`;
      const writes = [
        put(tableName, { ...alertedEventKey(organisationId, eventId), ...event }, ABSENT),
        put(tableName, { ...alertKey(organisationId, row.id), ...row }, isSame),
        putOutage(organisationId, after),
      ];
      return applyRecorded(client, writes, []);
    },
    /** Claims the email to a member. Returns false if it may have been sent, or if another run is sending it. */
    claimMail(ref: EventRef, personId: string, expiresAt: number) {
      const isRejected = where`attribute_not_exists(pk) OR state = ${'REJECTED' satisfies MailState}`;
      return wasApplied(putMail(ref, personId, { state: 'SENT', expiresAt }, isRejected));
    },
    /** Permits the email to be sent again. */
    releaseMail: (ref: EventRef, personId: string, expiresAt: number) =>
      putMail(ref, personId, { state: 'REJECTED', expiresAt }, PRESENT),
  };
}
