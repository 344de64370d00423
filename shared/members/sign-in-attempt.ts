import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { CONSOLE_API } from '../http/console/routes.ts';

/**
 * A sign-in that has started but not finished. Its state is in a cookie, because nothing is stored before a sign-in.
 */

export const ATTEMPT_LIFETIME_SECONDS = 600;

const random = v.pipe(v.string(), v.regex(/^[0-9A-Za-z_-]{43}$/));

const signInAttempt = v.strictObject({
  /** Three random values of OAuth 2.0 and OpenID Connect that bind the response and its token to this browser. */
  state: random,
  nonce: random,
  verifier: random,
  /** The path that is opened after the sign-in. */
  to: v.string(),
  startedAtMs: v.number(),
  /** Whether the identity provider must ask for the credentials, even if the browser is still signed in there. */
  isAgain: v.boolean(),
  /** The browser's earlier session, which the sign-in ends, and its organisation. */
  previous: v.optional(
    v.strictObject({
      hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      organisationId: v.optional(v.string()),
    }),
  ),
});
export type SignInAttempt = v.InferOutput<typeof signInAttempt>;

/** Has its own secrets. */
export function newSignInAttempt(
  options: Pick<SignInAttempt, 'to' | 'startedAtMs' | 'isAgain' | 'previous'>,
): SignInAttempt {
  const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
  return { ...options, state, nonce, verifier };
}

const newSecret = () => randomBytes(32).toString('base64url');

export function signInAttemptText(attempt: SignInAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Returns the attempt in a cookie. Undefined if there is none, or if it is more than ten minutes old. */
export function readSignInAttempt(text: string, nowMs: number): SignInAttempt | undefined {
  const json = Buffer.from(text, 'base64url').toString();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signInAttempt), json);
  if (!parsed.success) return undefined;
  const ageMs = nowMs - parsed.output.startedAtMs;
  return ageMs < ATTEMPT_LIFETIME_SECONDS * 1000 ? parsed.output : undefined;
}

const ORIGIN = 'https://console.invalid';
const MAX_PATH_LENGTH = 500;
/** A slash, then visible ASCII without the backslash, which browsers read as a slash. */
const PATH = /^\/(?:[!-[\]-~]*)$/;

/**
 * Returns the path to open after the sign-in: `to` if it is the path of a page on this site, and otherwise the first
 * page. Other sites must not be able to use our sign-in to redirect people to their own pages.
 */
export function pathAfterSignIn(to: string | undefined): string {
  if (!to || to.length > MAX_PATH_LENGTH || !PATH.test(to) || !URL.canParse(to, ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(to, ORIGIN);
  const isApi = pathname === CONSOLE_API || pathname.startsWith(`${CONSOLE_API}/`);
  // The resolved path of `/.//evil.example` begins with two slashes.
  return origin === ORIGIN && !pathname.startsWith('//') && !isApi ? pathname + search + hash : '/';
}
