import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from '../context.ts';

/**
 * The cookies of the console. The prefix `__Host-` makes browsers accept them only over HTTPS, for this host and all
 * its paths, so that no other host of the domain can set them.
 */

const SESSION = '__Host-session';
const SIGN_IN = '__Host-sign-in';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly';

/** Returns the session cookie, which browsers do not send with requests from other sites. */
export function sessionCookie(text: string): string {
  return `${SESSION}=${text}; ${ATTRIBUTES}; SameSite=Strict`;
}

export const CLEAR_SESSION_COOKIE = `${SESSION}=; ${ATTRIBUTES}; SameSite=Strict; Max-Age=0`;

/**
 * Returns the cookie of one sign-in. It cannot be Strict, because the identity provider, which is another site,
 * redirects back to us.
 */
export function signInCookie(text: string, lifetimeSeconds: number): string {
  return `${SIGN_IN}=${text}; ${ATTRIBUTES}; SameSite=Lax; Max-Age=${lifetimeSeconds}`;
}

export const CLEAR_SIGN_IN_COOKIE = `${SIGN_IN}=; ${ATTRIBUTES}; SameSite=Lax; Max-Age=0`;

/** Returns the value of the session cookie, or undefined if there is none or more than one. */
export const sessionCookieOf = (event: APIGatewayProxyEvent) => cookieOf(event, SESSION);
export const signInCookieOf = (event: APIGatewayProxyEvent) => cookieOf(event, SIGN_IN);

function cookieOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const pairs = headerValues(event, 'cookie').flatMap((value) => value.split(';'));
  const values = pairs.flatMap((pair) => {
    const [first = '', ...rest] = pair.trim().split('=');
    return first === name ? [rest.join('=')] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
