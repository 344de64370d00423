import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Organisation } from '../../accounts/organisation.ts';
import type { Recorder } from '../../audit/recorder.ts';
import type { Membership, Person, Session } from '../rows.ts';
import type { SessionCookie } from '../session.ts';
import type { SessionRows } from '../session-check-table.ts';

export interface SignedInRequest {
  readonly requestId: string;
  /** When the function received the request, in epoch milliseconds. */
  readonly nowMs: number;
  /** The IP address from which the request was sent. */
  readonly address: string;
  readonly event: APIGatewayProxyEvent;
  readonly person: Person;
  readonly session: Session;
  /** The hash under which the session is stored. */
  readonly sessionHash: string;
  /** The session's organisation, and the person's membership in it. Absent if there is none. */
  readonly organisation?: Organisation | undefined;
  readonly membership?: Membership | undefined;
  /** Records changes as made by this member, with the action of the route. Throws on a route without an action. */
  readonly recorder: Recorder;
  /**
   * Throws RECENT_SIGN_IN_REQUIRED if the sign-in is more than 15 minutes old. For routes that need a recent one only
   * in the live environment.
   */
  requireRecentSignIn(): void;
  /** Counts an email that the request will send. Throws RATE_LIMITED. */
  countMail(kind: 'notice' | 'invitation'): Promise<void>;
  /** Returns the `Set-Cookie` header that moves this session to another of the person's organisations. */
  cookieFor(organisationId: string | undefined): string;
}

/**
 * A request, as a route for members receives it. The organisation is the caller's own, and the role has been checked.
 */
export interface ConsoleRequest extends SignedInRequest {
  readonly organisation: Organisation;
  readonly membership: Membership;
}

export interface SignedIn extends SessionRows {
  readonly cookie: SessionCookie;
  readonly session: Session;
  readonly person: Person;
}

/**
 * Reads what a route needs about the organisation in the cookie. The result is used only if the session is accepted.
 */
export type Prefetch<T> = (organisationId: string, event: APIGatewayProxyEvent) => Promise<T>;
