import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from '../context.ts';

/** With the prefix `__Host-`, no other host of the domain can set them. */

const SESSION = '__Host-session';
const SIGN_IN = '__Host-sign-in';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly';

/** Not sent with requests from other sites. */
export function sessionCookie(text: string): string {
  return `${SESSION}=${text}; ${ATTRIBUTES}; SameSite=Strict`;
}

export const CLEAR_SESSION_COOKIE = `${SESSION}=; ${ATTRIBUTES}; SameSite=Strict; Max-Age=0`;

/** Not Strict: the identity provider, another site, redirects back to us. */
export function signInCookie(text: string, lifetimeSeconds: number): string {
  return `${SIGN_IN}=${text}; ${ATTRIBUTES}; SameSite=Lax; Max-Age=${lifetimeSeconds}`;
}

export const CLEAR_SIGN_IN_COOKIE = `${SIGN_IN}=; ${ATTRIBUTES}; SameSite=Lax; Max-Age=0`;

/** Undefined if there is none or more than one. */
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
