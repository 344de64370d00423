import type { Recorder } from '../../audit/recorder.ts';
import { DAY_MS } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { mailOwners, type SendMail } from '../../members/mail.ts';
import { memberNames, nameOfMember } from '../../members/member-names.ts';
import { type MemberTable, memberTable } from '../../members/member-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { isOwner } from '../../members/role.ts';
import type { Membership } from '../../members/rows.ts';
import { ALERT_DAYS, ALERT_KINDS, type Alert, type AlertChoice, wantsMail, withKind } from '../alert.ts';
import { type AlertChoiceTable, alertChoiceTable } from '../alert-choice-table.ts';
import { ALERT_NAMES, type AlertKind } from '../alert-names.ts';
import { type AlertTable, alertTable } from '../alert-table.ts';
import { alertRecipients } from '../send-alerts.ts';
import type { changeAlertsBody } from './bodies.ts';
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
  readonly choices: readonly AlertChoice[];
  readonly alerts: readonly Alert[];
  readonly members: readonly Membership[];
}

/** Reads the alerts of the last 30 days, the members and their choices. */
export function readAlerts({ choices, alerts, members, nowMs }: AlertsDependencies): Prefetch<AlertReads> {
  return async (organisationId) => {
    const since = new Date(nowMs() - ALERT_DAYS * DAY_MS).toISOString();
    const [chosen, rows, team] = await Promise.all([
      choices().listChoices(organisationId),
      alerts.listAlerts(organisationId, since),
      members.listMembers(organisationId),
    ]);
    return { choices: chosen, alerts: rows, members: team };
  };
}

/** GET /alerts */
export function showAlerts(): ConsoleRun<ConsoleRequest, NoInput, AlertReads> {
  return async ({ membership }, _input, { choices, alerts, members }) => {
    const names = memberNames(members);
    const namesOf = (some: readonly Membership[]) =>
      some.map(({ personId }) => nameOfMember(names, personId)).sort((a, b) => a.localeCompare(b));
    const others = members.filter(({ personId }) => personId !== membership.personId);
    const data: AlertsView = {
      settings: settingsOf(membership, choices),
      recipients: ofEachKind((kind) => namesOf(alertRecipients(others, choices, kind))),
      owners: namesOf(members.filter(isOwner)),
      alerts: alerts.map(alertView),
    };
    return { data };
  };
}

const ofEachKind = <T>(of: (kind: AlertKind) => T) =>
  Object.fromEntries(ALERT_KINDS.map((kind) => [kind, of(kind)])) as Record<AlertKind, T>;

const settingsOf = (member: Membership, choices: readonly AlertChoice[]): AlertSettings =>
  ofEachKind((kind) => wantsMail(kind, member, choices));

/** PUT /alerts: switches the member's own emails of one kind on or off. They receive an email about it. */
export function changeAlerts(
  { choices }: Pick<AlertsDependencies, 'choices'>,
  sendMail: SendMail,
): ConsoleRun<ConsoleRequest, typeof changeAlertsBody, undefined> {
  return async (request, { kind, is_enabled: isEnabled }) => {
    const { organisation, membership, recorder, nowMs, person, event } = request;
    const table = choices(recorder);
    const before = await table.listChoices(organisation.id);
    if (wantsMail(kind, membership, before) === isEnabled)
      return { data: settingsOf(membership, before) satisfies AlertSettings };
    await request.countMail('notice');
    const after = withKind(membership, before, kind, isEnabled);
    if (!(await table.saveChoice(organisation.id, after, kind))) throw new ServiceError('CHANGED_MEANWHILE');
    const change = {
      what: `emails of the kind "${ALERT_NAMES[kind]}" to ${membership.email} were switched ${isEnabled ? 'on' : 'off'}`,
      by: person.name || person.email,
      at: new Date(nowMs).toISOString(),
      consoleUrl: ownOrigin(event),
    };
    await mailOwners([membership], change, sendMail);
    return { data: settingsOf(membership, [after]) satisfies AlertSettings };
  };
}

function alertView({ id, kind, environment, at, endedAt, title, text }: Alert): AlertView {
  return { id, kind, environment: environment ?? 'live', at, ended_at: endedAt ?? null, title, text };
}
