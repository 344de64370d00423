import { lagosDay } from '../core/accounting-month.ts';
import { ServiceError } from '../core/errors.ts';
import { isPrintable } from '../core/printable-text.ts';
import type { Identity } from './identity-provider.ts';
import type { MembershipTable } from './membership-table.ts';
import { hasContact } from './organisation-name.ts';
import type { PersonTable } from './person-table.ts';
import type { Membership } from './rows.ts';
import { isPersonId, newSession, newSessionSecret, type SessionCookie, sessionHash } from './session.ts';
import type { SessionTable } from './session-table.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

export interface SignInTables {
  readonly persons: Pick<PersonTable, 'savePerson'>;
  readonly memberships: MembershipTable;
  readonly sessions: Pick<SessionTable, 'insertSession' | 'endSession'>;
}

const MAX_NAME_LENGTH = 100;
/** The identity provider's clock may be behind ours, and its times are whole seconds. */
const CLOCK_TOLERANCE_MS = 60_000;
const SECOND_MS = 1000;

/**
 * Begins a session for the person whom the identity provider has identified, and ends the browser's earlier session.
 * Returns the new cookie, or `again` if the person has signed out everywhere since they entered their credentials: the
 * identity provider must then ask for them again. Throws SIGN_IN_FAILED if the identity cannot be used.
 */
export async function signIn(
  identity: Identity,
  attempt: SignInAttempt,
  { persons, memberships, sessions }: SignInTables,
  nowMs: number,
): Promise<SessionCookie | 'again'> {
  const { subject: id, signedInAtMs, idToken } = identity;
  requireUsable(identity, attempt);
  const now = new Date(nowMs).toISOString();
  const names = { email: identity.email.toLowerCase(), name: nameOf(identity) };
  const [person, all] = await Promise.all([
    persons.savePerson({ id, ...names, createdAt: now }),
    memberships.listMemberships(id),
  ]);
  const { signedOutAt } = person;
  if (signedOutAt !== undefined && signedInAtMs + SECOND_MS <= Date.parse(signedOutAt)) return 'again';
  const active = all.filter(({ status }) => status === 'ACTIVE');
  const signedInOn = lagosDay(nowMs);
  const outdated = active.filter(
    (row) => row.personName !== names.name || row.email !== names.email || row.signedInOn !== signedInOn,
  );
  const secret = newSessionSecret();
  const session = newSession(id, new Date(signedInAtMs).toISOString(), nowMs, idToken);
  await Promise.all([
    sessions.insertSession(sessionHash(secret), session),
    ...outdated.map((row) => memberships.updateSignedIn(row, { ...names, signedInOn })),
    ...(attempt.previous ? [sessions.endSession(attempt.previous.hash, now)] : []),
  ]);
  return { personId: id, secret, organisationId: organisationOf(active, attempt.previous?.organisationId) };
}

/**
 * Returns the organisation of the earlier session if the person is still a member of it, and otherwise the first by
 * name.
 */
function organisationOf(active: readonly Membership[], previous: string | undefined): string | undefined {
  if (active.some(({ organisationId }) => organisationId === previous)) return previous;
  return active.toSorted(byName)[0]?.organisationId;
}

/** The order of organisations in lists. */
export function byName(a: Membership, b: Membership): number {
  return (
    a.organisationName.localeCompare(b.organisationName, 'en') ||
    (a.organisationId < b.organisationId ? -1 : 1)
  );
}

function requireUsable(identity: Identity, { isAgain, startedAtMs }: SignInAttempt): void {
  const { subject, isEmailVerified, signedInAtMs } = identity;
  const isFresh = !isAgain || signedInAtMs >= startedAtMs - CLOCK_TOLERANCE_MS;
  if (!isPersonId(subject) || !isEmailVerified || !isFresh) throw new ServiceError('SIGN_IN_FAILED');
}

/**
 * Returns the name that the person entered if it contains only a name. Otherwise, the email address up to the `@`, under
 * the same rule: a person chooses both.
 */
function nameOf({ name = '', email }: Identity): string {
  const mailbox = email.split('@')[0] ?? '';
  const texts = [name, mailbox.replaceAll('.', ' ')].map((text) => text.trim());
  const usable = texts.find((text) => text !== '' && isPrintable(text) && !hasContact(text)) ?? 'Member';
  return usable.slice(0, MAX_NAME_LENGTH);
}
