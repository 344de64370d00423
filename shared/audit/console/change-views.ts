import { personOfActor } from '../../members/member-actor.ts';
import { type MemberNames, nameOfMember } from '../../members/member-names.ts';
import { ACTION_TEXTS } from '../action-texts.ts';
import { type AuditEntry, FUNCTION_ACTORS, KEY_ACTOR } from '../audit-entry.ts';
import type { ChangeView } from './views.ts';

/** With the names of members, but not of operators, and without internal values. */

/** Fields whose values mean nothing to members. */
const INTERNAL: readonly string[] = [
  'version',
  'hash',
  'linesSha256',
  'returnSha256',
  'organisationId',
  'resolvedBy',
  'bookedBy',
  'openedBy',
  // The time of the change itself.
  'changedAt',
];

/** An entry as members see it. */
export function changeView(entry: AuditEntry, names: MemberNames): ChangeView {
  const { id, at, actor, action, target, before, after, address, requestId } = entry;
  return {
    id,
    at,
    by: authorOf(actor, names),
    action,
    action_text: actionText(entry),
    target: servicesIn(before, after) || withLabel(withNames(target, names), after ?? before),
    before: before ? shownValues(before, names) : null,
    after: after ? shownValues(after, names) : null,
    address: address ?? null,
    request_id: requestId ?? null,
  };
}

/** By the state that they lead to. Only limits were changed if there is none. */
const AUTOMATIC_TEXTS: Readonly<Record<string, string>> = {
  ON: 'Switched on automatic top-up',
  STOPPED: 'Stopped automatic top-up',
  OFF: 'Switched off automatic top-up',
};
const WEBHOOK_TEXTS: Readonly<Record<string, string>> = {
  ENABLED: 'Enabled a webhook endpoint',
  DISABLED: 'Disabled a webhook endpoint',
};

/** An action with several outcomes is named by what its values say. */
function actionText({ action, target, after }: AuditEntry): string {
  const values = after ?? {};
  if (action === 'top-up start' && values['checkoutUrl']) return 'Opened the payment page of a top-up';
  if (target === 'automatic top-up' && values['cardOrder'] === null) return 'Removed the saved card';
  const text = ACTION_TEXTS[action] ?? action;
  if (target === 'automatic top-up') return AUTOMATIC_TEXTS[String(values['state'])] ?? text;
  if (action === 'service change') return values['enabled'] ? 'Enabled a service' : 'Disabled a service';
  if (action === 'webhook update') return WEBHOOK_TEXTS[String(values['state'])] ?? text;
  return text;
}

function withNames(target: string, names: MemberNames): string {
  return target
    .split(' ')
    .map((word) => names.get(word) ?? word)
    .join(' ');
}

type Values = AuditEntry['before'];

/** People do not know the ID of a key. */
function withLabel(target: string, values: Values): string {
  const label = values?.['label'];
  if (label === undefined) return target;
  return target.replace(/^(live|test) key (\w+)$/, (_, env, id) => `${env} key "${label}" (${id})`);
}

/** Names the services that an operator has changed, whose changes have the whole organisation as their target. */
function servicesIn(before: Values, after: Values): string {
  const changed = ['services', 'prices'].flatMap((name) => {
    const [one, other] = [before, after].map((values) => Object(values?.[name] ?? {}));
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
  });
  return changed.length === 0 ? '' : `${changed.length === 1 ? 'service' : 'services'} ${changed.join(', ')}`;
}

function authorOf(actor: string, names: MemberNames): ChangeView['by'] {
  const personId = personOfActor(actor);
  if (personId !== undefined) return { kind: 'member', name: nameOfMember(names, personId) };
  if (FUNCTION_ACTORS.some((known) => known === actor)) return { kind: 'service', name: 'Service' };
  if (actor.startsWith(KEY_ACTOR))
    return { kind: 'service', name: `API key ${actor.slice(KEY_ACTOR.length)}` };
  return { kind: 'operator', name: 'Operator' };
}

function shownValues(values: object, names: MemberNames): Record<string, unknown> {
  const shown = Object.entries(values).filter(([name]) => !INTERNAL.includes(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, shownValue(value, names)]));
}

function shownValue(value: unknown, names: MemberNames): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => shownValue(item, names));
  return typeof value === 'object' && value !== null ? shownValues(value, names) : value;
}
