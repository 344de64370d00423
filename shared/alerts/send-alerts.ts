import { setTimeout as pause } from 'node:timers/promises';
import type { Organisation } from '../accounts/organisation.ts';
import { lagosDay } from '../core/accounting-month.ts';
import { errorFields, logger } from '../core/logger.ts';
import type { ReceivedEvent } from '../events/received-event.ts';
import { type BusEvent, receivedEvent } from '../events/received-event.ts';
import type { SendMail } from '../members/mail.ts';
import type { MemberReads } from '../members/member-names.ts';
import { isActive } from '../members/role.ts';
import type { Membership } from '../members/rows.ts';
import { type ConcernedReads, concernedOrganisations } from '../webhooks/concerned-organisations.ts';
import { type Alert, type AlertChoice, alertOf, outageAfter, outageAlert, wantsMail } from './alert.ts';
import type { AlertChoiceTable } from './alert-choice-table.ts';
import { alertMail } from './alert-mail.ts';
import type { AlertKind } from './alert-names.ts';
import type { AlertedEvent, AlertTable, EventRef } from './alert-table.ts';

export interface AlertDependencies extends ConcernedReads {
  readonly choices: Pick<AlertChoiceTable, 'listChoices'>;
  readonly alerts: Pick<
    AlertTable,
    'getState' | 'insertAlert' | 'continueOutage' | 'claimMail' | 'releaseMail'
  >;
  readonly members: MemberReads;
  readonly sendMail: SendMail;
  /** The origin of the console, without a trailing slash. */
  readonly consoleUrl: string;
}

export interface AlertReport {
  /** The number of organisations for which the alert is stored. */
  readonly alerted: number;
  readonly mails: number;
  readonly failedMails: number;
}

/**
 * The maximum number of an organisation's alerts about one type of event that are emailed on one day. The last email
 * says that it is the last. Anyone can cause some types, such as rejected keys, so these must not use up the emails of
 * others.
 */
const MAILED_ALERTS_A_DAY = 20;
const ORGANISATIONS_AT_ONCE = 5;
const MAX_ATTEMPTS = 10;
const PAUSE_MS = 20;

/** Returns the members who receive emails about alerts of a kind, without duplicate addresses. */
export function alertRecipients(
  members: readonly Membership[],
  choices: readonly AlertChoice[],
  kind: AlertKind,
): Membership[] {
  const recipients = members.filter((one) => isActive(one) && wantsMail(kind, one, choices));
  return [...new Map(recipients.map((one) => [one.email, one])).values()];
}

/**
 * Stores the alert about an event for each organisation that it concerns, and sends the emails. If an event is
 * delivered again, even after a run that failed halfway, there is still only one alert for each organisation, and at
 * most one email to each recipient.
 */
export async function sendAlerts(event: ReceivedEvent, deps: AlertDependencies): Promise<AlertReport> {
  const alert = alertOf(event);
  const organisations = alert ? await concernedOrganisations(event, deps) : [];
  const reports: AlertReport[] = [];
  for (let first = 0; alert && first < organisations.length; first += ORGANISATIONS_AT_ONCE) {
    const some = organisations.slice(first, first + ORGANISATIONS_AT_ONCE);
    reports.push(...(await Promise.all(some.map((one) => alertOrganisation(one, alert, event, deps)))));
  }
  const sumOf = (count: keyof AlertReport) => reports.reduce((sum, report) => sum + report[count], 0);
  return { alerted: sumOf('alerted'), mails: sumOf('mails'), failedMails: sumOf('failedMails') };
}

async function alertOrganisation(
  organisation: Organisation,
  alert: Alert,
  event: ReceivedEvent,
  deps: AlertDependencies,
): Promise<AlertReport> {
  const day = lagosDay(Date.parse(alert.at));
  const { id: eventId, type, detail } = event;
  // Outages of one ID type must not use up the emails about those of others.
  const eventType = [type, detail['id_type']].filter(Boolean).join(' ');
  const ref = { organisationId: organisation.id, eventId, eventType, day };
  const stored = await storeAlert(ref, alert, event, deps);
  if (stored.number === 0 || stored.number > MAILED_ALERTS_A_DAY)
    return { alerted: 1, mails: 0, failedMails: 0 };
  const [members, choices] = await Promise.all([
    deps.members.listMembers(organisation.id),
    deps.choices.listChoices(organisation.id),
  ]);
  const recipients = alertRecipients(members, choices, alert.kind);
  const isLast = stored.number === MAILED_ALERTS_A_DAY;
  const report = { alerted: 1, mails: 0, failedMails: 0 };
  for (const { personId, email } of recipients) {
    if (!(await deps.alerts.claimMail(ref, personId, alert.expiresAt))) continue;
    const { name } = organisation;
    const mail = alertMail({ email }, alert, { name, isLast, consoleUrl: deps.consoleUrl });
    const error = await deps.sendMail(mail).then(
      () => undefined,
      (cause: unknown) => Object(cause) as SendError,
    );
    if (!error) report.mails += 1;
    else {
      report.failedMails += 1;
      logger.warn('alert mail failed', {
        organisation: organisation.id,
        event_id: eventId,
        ...errorFields(error),
      });
      // Without a response, the email may have been sent, so the claim remains.
      if (error.$metadata?.httpStatusCode !== undefined)
        await deps.alerts.releaseMail(ref, personId, alert.expiresAt);
    }
  }
  return report;
}

/** The part of an SES client error that has a status if SES responded. */
interface SendError {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Stores an alert once, and returns its position among those of its day and type, or 0 if it continues an outage. A
 * repeated call returns the same position.
 */
async function storeAlert(
  ref: EventRef,
  alert: Alert,
  received: ReceivedEvent,
  { alerts }: AlertDependencies,
): Promise<Pick<AlertedEvent, 'number'>> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const { event, storedToday, outage } = await alerts.getState(ref);
    if (event) return event;
    const after = outageAfter(received, alert, outage);
    if (after && after.alertId !== alert.id) {
      if (await alerts.continueOutage(ref, outageAlert(after, received.at), after)) return { number: 0 };
    } else if (await alerts.insertAlert(ref, alert, storedToday, after)) return { number: storedToday + 1 };
    // Other events of the organisation are being stored at the same time.
    await pause(PAUSE_MS * attempts);
  }
  throw new Error(
    `Too many alerts of the organisation ${ref.organisationId} are being stored at the same time.`,
  );
}

/** Sends the alerts about an event. Rejects if an email could not be sent. Lambda then retries twice. */
export async function handleEvent(event: BusEvent, deps: AlertDependencies): Promise<void> {
  const delivered = receivedEvent(event);
  const report = await sendAlerts(delivered, deps);
  const { type, id, detail } = delivered;
  logger.info('alerts', { type, event_id: id, organisation: detail['organisation'], ...report });
  const { failedMails } = report;
  if (failedMails > 0) throw new Error(`${failedMails} of the emails about an alert could not be sent.`);
}
