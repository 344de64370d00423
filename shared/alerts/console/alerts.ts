import type { Recorder } from '../../audit/recorder.ts';
import { DAY_MS } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import type { SendMail } from '../../members/mail.ts';
import { memberNames, nameOfMember } from '../../members/member-names.ts';
import { type MemberTable, memberTable } from '../../members/member-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { notifyOwners } from '../../members/middleware/notify-owners.ts';
import { isOwner } from '../../members/role.ts';
import type { Membership } from '../../members/rows.ts';
import {
  ALERT_DAYS,
  type Alert,
  type AlertChoice,
  type AlertKind,
  alertSettings,
  withAlert,
} from '../alert.ts';
import { type AlertChoiceTable, alertChoiceTable } from '../alert-choice-table.ts';
import { type AlertTable, alertTable } from '../alert-table.ts';
import { alertRecipients } from '../send-alerts.ts';
import type { ChangeAlertsBody, changeAlertsBody } from './bodies.ts';
import type { AlertSettings, AlertsView, AlertView } from './views.ts';

export interface AlertsDependencies {
  readonly choices: (recorder?: Recorder) => AlertChoiceTable;
  readonly alerts: Pick<AlertTable, 'listAlerts'>;
  readonly members: Pick<MemberTable, 'listMembers'>;
  readonly nowMs: () => number;
}

export function alertsDependencies(): AlertsDependencies {
  const client = database();
  const tableName = setting('CONSOLE_TABLE');
  return {
    choices: (recorder) => alertChoiceTable(client, tableName, recorder),
    alerts: alertTable(client, tableName),
    members: memberTable(client, tableName),
    nowMs: Date.now,
  };
}

export interface AlertReads {
  readonly choice: AlertChoice | undefined;
  readonly alerts: readonly Alert[];
  readonly members: readonly Membership[];
}

/** Reads the alerts of the last 30 days, the choice and the members. */
export function readAlerts({ choices, alerts, members, nowMs }: AlertsDependencies): Prefetch<AlertReads> {
  return async (organisationId) => {
    const since = new Date(nowMs() - ALERT_DAYS * DAY_MS).toISOString();
    const [choice, rows, team] = await Promise.all([
      choices().getChoice(organisationId),
      alerts.listAlerts(organisationId, since),
      members.listMembers(organisationId),
    ]);
    return { choice, alerts: rows, members: team };
  };
}

/** GET /alerts */
export function showAlerts(): ConsoleRun<ConsoleRequest, NoInput, AlertReads> {
  return async (_request, _input, { choice, alerts, members }) => {
    const names = memberNames(members);
    const namesOf = (some: readonly Membership[]) =>
      some.map(({ personId }) => nameOfMember(names, personId)).sort((a, b) => a.localeCompare(b));
    const data: AlertsView = {
      settings: alertSettings(choice),
      recipients: namesOf(alertRecipients(members, 'balance_low')),
      owners: namesOf(members.filter(isOwner)),
      alerts: alerts.map(alertView),
    };
    return { data };
  };
}

const NAMES: Readonly<Record<AlertKind, string>> = {
  balance_low: 'a low balance',
  key_expiring: 'expiring API keys',
  registry_down: 'registries',
  unusual_traffic: 'unusual traffic',
};

/** PUT /alerts */
export function changeAlerts(
  { choices, members }: Pick<AlertsDependencies, 'choices' | 'members'>,
  sendMail: SendMail,
): ConsoleRun<ConsoleRequest, typeof changeAlertsBody, undefined> {
  return async (request, body) => {
    const { organisation, recorder } = request;
    const before = alertSettings(await choices().getChoice(organisation.id));
    if (before[body.kind] !== body.is_enabled) await request.countMail('notice');
    const { settings, isChanged } = await switchAlert(organisation.id, body, choices(recorder));
    const what = `alerts about ${NAMES[body.kind]} were switched ${body.is_enabled ? 'on' : 'off'}`;
    if (isChanged) await notifyOwners(request, organisation.id, what, { members, sendMail });
    return { data: settings satisfies AlertSettings };
  };
}

const MAX_ATTEMPTS = 5;

/**
 * Switches one kind of alert on or off for an organisation. Returns the organisation's choice after the change, and
 * whether there was one. Throws CHANGED_MEANWHILE if other members keep changing it.
 */
export async function switchAlert(
  organisationId: string,
  { kind, is_enabled: isEnabled }: ChangeAlertsBody,
  table: AlertChoiceTable,
): Promise<{ readonly settings: AlertSettings; readonly isChanged: boolean }> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await table.getChoice(organisationId);
    if (alertSettings(before)[kind] === isEnabled)
      return { settings: alertSettings(before), isChanged: false };
    const after = withAlert(before, kind, isEnabled);
    if (await table.saveChoice(organisationId, before, after))
      return { settings: alertSettings(after), isChanged: true };
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

function alertView({ id, kind, environment, at, title, text }: Alert): AlertView {
  return { id, kind, environment: environment ?? 'live', at, title, text };
}
