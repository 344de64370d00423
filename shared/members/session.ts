import { createHash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../core/clock.ts';
import type { Person, Session } from './rows.ts';

/** The content of a session cookie. It is not verified until the session's row is read. */
export interface SessionCookie {
  /** Absent while the person belongs to no organisation. */
  readonly organisationId?: string | undefined;
  readonly personId: string;
  /** 32 random bytes in base64url. Only its hash is stored. */
  readonly secret: string;
}

const LIFETIME_MS = 12 * HOUR_MS;
const IDLE_LIMIT_MS = HOUR_MS;
/** The minimum time between two writes of a session's time of use. */
const USE_INTERVAL_MS = 5 * 60_000;
const RECENT_MS = 15 * 60_000;

const NO_ORGANISATION = '-';
const PERSON_ID = /^[0-9A-Za-z_-]{1,128}$/;
const ORGANISATION_ID = /^[0-9A-Za-z]{1,32}$/;
const COOKIE = /^(-|[0-9A-Za-z]{1,32})\.([0-9A-Za-z_-]{1,128})\.([0-9A-Za-z_-]{43})$/;

/** Whether the subject of an identity provider can be a person's ID, which is part of keys and of the cookie. */
export function isPersonId(subject: string): boolean {
  return PERSON_ID.test(subject);
}

/** Whether a string can be an organisation's ID, which is part of keys and of the cookie. */
export function isOrganisationId(text: string): boolean {
  return ORGANISATION_ID.test(text);
}

/** Returns the value of the cookie: organisation, person and secret, separated by full stops. */
export function sessionCookieText(cookie: SessionCookie): string {
  return `${sessionPage(cookie)}.${cookie.secret}`;
}

/** Returns the organisation and the person whose data the pages of a session show. */
export function sessionPage({ organisationId, personId }: Omit<SessionCookie, 'secret'>): string {
  return `${organisationId ?? NO_ORGANISATION}.${personId}`;
}

export function readSessionCookie(text: string): SessionCookie | undefined {
  const [, organisationId, personId, secret] = COOKIE.exec(text) ?? [];
  if (!organisationId || !personId || !secret) return undefined;
  return { ...(organisationId !== NO_ORGANISATION && { organisationId }), personId, secret };
}

export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function sessionHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Returns the row of a session that begins now. `idToken` is kept for the sign-out at the identity provider. */
export function newSession(
  personId: string,
  signedInAt: string,
  nowMs: number,
  idToken: string | undefined,
): Session {
  const now = new Date(nowMs).toISOString();
  return {
    personId,
    createdAt: now,
    signedInAt,
    usedAt: now,
    ...(idToken !== undefined && { idToken }),
    expiresAt: Math.ceil((nowMs + LIFETIME_MS) / 1000),
  };
}

/**
 * Whether a session is accepted: it has not been ended, it began less than 12 hours ago, its `usedAt` is less than an
 * hour ago, and the person has not signed out everywhere since it began.
 */
export function isOpen(session: Session, person: Person, nowMs: number): boolean {
  const { createdAt, usedAt, endedAt } = session;
  const isSignedOut = person.signedOutAt !== undefined && createdAt <= person.signedOutAt;
  return (
    endedAt === undefined &&
    !isSignedOut &&
    nowMs < Date.parse(createdAt) + LIFETIME_MS &&
    nowMs < Date.parse(usedAt) + IDLE_LIMIT_MS
  );
}

export function isUseDue({ usedAt }: Session, nowMs: number): boolean {
  return nowMs >= Date.parse(usedAt) + USE_INTERVAL_MS;
}

export function isRecentlySignedIn({ signedInAt }: Session, nowMs: number): boolean {
  return nowMs <= Date.parse(signedInAt) + RECENT_MS;
}
