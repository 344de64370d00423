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
  'organisationId',
  'resolvedBy',
  'bookedBy',
  'openedBy',
];

/** An entry as members see it. */
export function changeView(entry: AuditEntry, names: MemberNames): ChangeView {
  const { id, at, actor, action, target, before, after, address, requestId } = entry;
  return {
    id,
    at,
    by: authorOf(actor, names),
    action,
    action_text: actionText(action, after),
    target: servicesIn(before, after) || withNames(target, names),
    before: before ? shownValues(before, names) : null,
    after: after ? shownValues(after, names) : null,
    address: address ?? null,
    request_id: requestId ?? null,
  };
}

/** A top-up has two entries: of its order, and of the page where it is paid. */
function actionText(action: string, after: Values): string {
  if (action === 'top-up start' && after?.['checkoutUrl']) return 'Opened the payment page of a top-up';
  return ACTION_TEXTS[action] ?? action;
}

function withNames(target: string, names: MemberNames): string {
  return target
    .split(' ')
    .map((word) => names.get(word) ?? word)
    .join(' ');
}

type Values = AuditEntry['before'];

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
