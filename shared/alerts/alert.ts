import * as v from 'valibot';
import { DAY_MS, DAY_SECONDS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { ID_TYPES } from '../core/id-types.ts';
import { sortByTime } from '../core/keys.ts';
import type { Role } from '../core/member-role.ts';
import type { ServiceEvent, StopReason } from '../events/event.ts';
import type { ReceivedEvent } from '../events/received-event.ts';
import type { Membership } from '../members/rows.ts';
import { ALERT_NAMES, type AlertKind } from './alert-names.ts';

/**
 * The alerts that organisations receive: which events become alerts, and their texts, which contain no names of people
 * and no API keys.
 */

export const ALERT_KINDS = Object.keys(ALERT_NAMES) as readonly AlertKind[];

const PAYERS: readonly Role[] = ['owner', 'finance'];

/** The kinds that are emailed, but not shown: there is nothing to do about them. */
export const MAILED_ONLY: readonly AlertKind[] = ['payment'];

/**
 * The roles that receive the emails about each kind, unless a member chooses otherwise. Owners always receive emails about
 * changes to keys, members and access (members/mail.ts).
 */
const RECIPIENTS: Readonly<Record<AlertKind, readonly Role[]>> = {
  balance_low: PAYERS,
  automatic_top_up: PAYERS,
  key_expiring: [...PAYERS, 'developer'],
  registry_down: PAYERS,
  unusual_traffic: PAYERS,
  payment: PAYERS,
};

/** A member's choice of emails, in Console: `ALERTS#<org>` / `SETTINGS#<person>`. Otherwise, their role decides. */
export const alertChoice = v.object({
  /** Absent in the organisation's choice (`SETTINGS`), which applies to members who have not chosen anything. */
  personId: v.optional(v.string()),
  /** The kinds that the member receives whatever their role is. */
  wanted: v.optional(v.array(v.picklist(ALERT_KINDS)), []),
  unwanted: v.array(v.picklist(ALERT_KINDS)),
  version: v.number(),
});
export type AlertChoice = v.InferOutput<typeof alertChoice>;
export type OwnChoice = AlertChoice & { readonly personId: string };

/** An alert in Console: `ALERTS#<org>` / `ALERT#<time>#<id of the event>`. Only that of an outage changes. */
export const alert = v.object({
  id: v.string(),
  kind: v.picklist(ALERT_KINDS),
  /** Of the key that the alert is about. */
  environment: v.optional(v.picklist(ENVIRONMENTS)),
  /** When the event was published. ISO time. */
  at: v.string(),
  /** Of an outage that has ended: when the event about its end was published. ISO time. */
  endedAt: v.optional(v.string()),
  title: v.string(),
  text: v.string(),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Alert = v.InferOutput<typeof alert>;

/** The last outage of the registries, in Console: `ALERTS#<org>` / `OUTAGE`. All its events are one alert. */
export const outage = v.object({
  alertId: v.string(),
  /** When it began. ISO time. */
  at: v.string(),
  idTypes: v.array(v.picklist(ID_TYPES)),
  /** Those that are still unavailable. */
  down: v.array(v.picklist(ID_TYPES)),
  version: v.number(),
  /** Epoch seconds. */
  expiresAt: v.number(),
});
export type Outage = v.InferOutput<typeof outage>;

export const ALERT_DAYS = 30;

type AlertText = Pick<Alert, 'kind' | 'environment' | 'title' | 'text'>;
type Detail = ServiceEvent['detail'];

/** The alerts, by the type of their event. Other events do not become alerts. */
const ALERTS: Partial<Readonly<Record<ServiceEvent['type'], (detail: Detail) => AlertText | undefined>>> = {
  'Balance Low': ({ available, low_below }) => ({
    kind: 'balance_low',
    title: 'Credits are low',
    text: `The live wallet has ${counted(available, 'credit')} left, fewer than the threshold of ${grouped(low_below)}. Without credits, look-ups with live keys are rejected.`,
  }),
  'Wallet Empty': () => ({
    kind: 'balance_low',
    title: 'No credits left',
    text: 'The live wallet is empty. Look-ups with live keys are rejected until you top up.',
  }),
  'Automatic Top-Up Charged': ({ credits, total_kobo, reference }) => ({
    kind: 'automatic_top_up',
    title: 'Your saved card was charged',
    text: `The saved card was charged ${naira(total_kobo)}, VAT included, for ${counted(credits, 'credit')}, because live credits were low. The reference of the top-up is ${reference}. Its invoice is on the Wallet page.`,
  }),
  'Automatic Top-Up Stopped': ({ credits, reason }) => ({
    kind: 'automatic_top_up',
    title:
      reason === 'limit' ? 'The monthly limit of your saved card is reached' : 'Automatic top-up has stopped',
    text: `Live credits are low, but ${counted(credits, 'credit')} were not added: ${NOT_ADDED[reason as StopReason]}. Top up on the Wallet page.`,
  }),
  'API Key Expiring': (detail) => ({
    kind: 'key_expiring',
    environment: ENVIRONMENTS.find((one) => one === detail['environment']),
    title: 'An API key expires soon',
    text: `The ${detail['environment']} key ${keyName(detail)} expires in ${counted(detail['days_left'], 'day')}, on ${day(detail['not_after'])}. Rotate it before then: requests with an expired key are rejected.`,
  }),
  'Look-Ups Unavailable': ({ id_type }) => outageText([String(id_type)], true),
  'Look-Ups Available': ({ id_type }) => outageText([String(id_type)], false),
  'Top-Up Credited': ({ environment, credits, available, invoice }) =>
    environment === 'live'
      ? {
          kind: 'payment',
          title: 'Your payment was received',
          text: `The live wallet received ${counted(credits, 'credit')}, and now has ${grouped(available)}. The invoice ${invoice} is on the Wallet page.`,
        }
      : undefined,
  'Key Used From New Network': (detail) => ({
    kind: 'unusual_traffic',
    title: 'An API key was used from a new network',
    text: `The live key ${keyName(detail)} was used from ${detail['network']}, which is not among the last 10 networks of this key. If you do not recognise this network, revoke the key.`,
  }),
  'Look-Ups High': (detail) => ({
    kind: 'unusual_traffic',
    title: 'Many more look-ups than usual',
    text: `Today, there were ${counted(detail['look_ups'], 'look-up')} with ${ofKey(detail)}. On the busiest of the previous 14 days, there were ${grouped(detail['busiest_day'])}. If you do not expect this, revoke the key.`,
  }),
  'Misses High': (detail) => ({
    kind: 'unusual_traffic',
    title: 'Many look-ups found no record',
    text: `Today, ${grouped(detail['misses'])} of ${counted(detail['look_ups'], 'look-up')} with ${ofKey(detail)} found no record. Someone may be guessing numbers.`,
  }),
  'Rejected Keys High': ({ rejections }) => ({
    kind: 'unusual_traffic',
    title: 'Many requests with rejected API keys',
    text: `In the last 20 minutes, about ${counted(rejections, 'request')} failed because an API key of your organisation was wrong, expired or revoked, or because its limits did not permit the request.`,
  }),
};

const SWITCH_ON = 'Automatic top-up stays off until a member saves it again';
const NOT_ADDED: Readonly<Record<StopReason | 'limit', string>> = {
  declined: `the saved card was declined. ${SWITCH_ON}`,
  unconfirmed: `the bank asks for a confirmation. Pay the open top-up on the Wallet page. ${SWITCH_ON}`,
  unknown: `Paystack has not said whether the saved card was charged. If it was, the credits are still added. ${SWITCH_ON}`,
  unreadable: `the saved card can no longer be used, and must be saved again. ${SWITCH_ON}`,
  not_sold: `a price or your billing details are missing, or so many credits are not sold at once. ${SWITCH_ON}`,
  paid_back: `a purchase was refunded, disputed or charged back. ${SWITCH_ON}`,
  limit: 'the next charge would exceed the monthly limit. Charges continue in the next month',
};

export const ALERT_EVENTS = Object.keys(ALERTS) as ServiceEvent['type'][];

/** Returns the alert about an event, or undefined if the event does not become an alert. */
export function alertOf({ type, id, at, detail }: ReceivedEvent): Alert | undefined {
  const text = Object.hasOwn(ALERTS, type) ? ALERTS[type as ServiceEvent['type']]?.(detail) : undefined;
  const expiresAt = Math.ceil(Date.parse(at) / 1000) + ALERT_DAYS * DAY_SECONDS;
  return text && { id: sortByTime(at, id), ...text, at, expiresAt };
}

function outageText(idTypes: readonly string[], isDown: boolean): AlertText {
  const names = new Intl.ListFormat('en-GB').format(idTypes);
  return {
    kind: 'registry_down',
    title: `${names} look-ups ${isDown ? 'are not available' : 'work again'}`,
    text: isDown
      ? `The registry is not available. Requests for ${names} fail and are not charged. The Status page shows when they work again, and what else fails.`
      : `The registry is available again. You can now retry the ${names} requests that failed. The Status page shows the exact times.`,
  };
}

/** After this time, a further ID type that fails is a new outage, with a new email. */
const OUTAGE_MS = DAY_MS;

/** Returns the outage after an event, or undefined if the event belongs to none. */
export function outageAfter(
  { type, detail, at }: ReceivedEvent,
  { id, expiresAt }: Alert,
  last: Outage | undefined,
): Outage | undefined {
  const idType = ID_TYPES.find((one) => one === detail['id_type']);
  const isDown = type === 'Look-Ups Unavailable';
  const isOver = !last?.down.length || (isDown && Date.parse(at) - Date.parse(last.at) > OUTAGE_MS);
  if (!idType || (isOver && !isDown)) return undefined;
  const before = isOver || !last ? { alertId: id, at, idTypes: [], down: [], expiresAt } : last;
  const including = (some: Outage['idTypes']) =>
    ID_TYPES.filter((one) => one === idType || some.includes(one));
  return {
    ...before,
    idTypes: including(before.idTypes),
    down: isDown ? including(before.down) : before.down.filter((one) => one !== idType),
    version: (last?.version ?? 0) + 1,
  };
}

/** Returns the one alert about an outage, as it is after the event that was published at `changedAt`. */
export function outageAlert({ alertId, at, idTypes, down, expiresAt }: Outage, changedAt: string): Alert {
  const isDown = down.length > 0;
  const text = outageText(isDown ? down : idTypes, isDown);
  return { id: alertId, at, ...(!isDown && { endedAt: changedAt }), ...text, expiresAt };
}

type Recipient = Pick<Membership, 'personId' | 'role'>;

const choiceOf = ({ personId }: Recipient, choices: readonly AlertChoice[]) =>
  choices.find((one) => one.personId === personId) ?? choices.find((one) => one.personId === undefined);

/** Whether a member receives emails of this kind. `choices` are those of the organisation's members. */
export function wantsMail(kind: AlertKind, member: Recipient, choices: readonly AlertChoice[]): boolean {
  const choice = choiceOf(member, choices);
  if (choice?.wanted.includes(kind)) return true;
  return RECIPIENTS[kind].includes(member.role) && !choice?.unwanted.includes(kind);
}

/** Returns the member's choice after they switched one kind on or off. */
export function withKind(
  member: Recipient,
  choices: readonly AlertChoice[],
  kind: AlertKind,
  isEnabled: boolean,
): OwnChoice {
  const before = choiceOf(member, choices);
  const others = (kinds: readonly AlertKind[] = []) => kinds.filter((one) => one !== kind);
  const chosen = (isChosen: boolean) => (isChosen ? [kind] : []);
  return {
    personId: member.personId,
    wanted: [...others(before?.wanted), ...chosen(isEnabled)],
    unwanted: [...others(before?.unwanted), ...chosen(!isEnabled)],
    version: before?.personId === undefined ? 1 : before.version + 1,
  };
}

const grouped = (count: string | number | undefined) => new Intl.NumberFormat('en-NG').format(Number(count));

const naira = (kobo: string | number | undefined) =>
  `₦${new Intl.NumberFormat('en-NG', { minimumFractionDigits: 2 }).format(Number(kobo) / 100)}`;

/** Returns a count with its noun, such as `1 day` or `1,200 days`. */
function counted(count: string | number | undefined, noun: string): string {
  return `${grouped(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;
}

/** Quotes the label, which may contain spaces. The last characters distinguish keys with the same label. */
function keyName({ label, last_four }: Detail): string {
  return `"${label}" (ends in ${last_four})`;
}

function ofKey(detail: Detail): string {
  return detail['label'] === '' && detail['last_four'] === ''
    ? 'all live keys together'
    : `the live key ${keyName(detail)}`;
}

/** Returns the day of an ISO time in Lagos, such as `30 November 2026`. */
function day(time: string | number | undefined): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Africa/Lagos' });
  return format.format(new Date(String(time)));
}
