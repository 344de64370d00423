import {
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { setting } from '../../shared/core/config.ts';
import { connect } from '../../shared/core/database.ts';
import type { ConsoleEnvelope } from '../../shared/http/console/envelope.ts';
import { CONSOLE_API } from '../../shared/http/console/routes.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { localService } from './local-service.ts';

/** Uses the account console of the running local service over HTTP, like a browser that renders no pages. */

const running = await localService();
Object.assign(process.env, running.adminAwsEnvironment, { DATABASE_TIMEOUT_MS: '20000' });
export const service = running;
export const database = connect();
export const consoleUrl = required(
  running.console?.url,
  'The local service was started without the console.',
);

export interface ConsoleResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: ConsoleEnvelope<T> | undefined;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Someone with a browser. `email` is the address that they sign in with. */
export interface ConsoleClient {
  readonly email: string;
  readonly cookies: Map<string, string>;
  /** Sends a request to `/console/api<path>`, as a page of the console does. Keeps the cookies of the response. */
  send<T = unknown>(method: string, path: string, options?: SendOptions): Promise<ConsoleResponse<T>>;
}

export const SESSION_COOKIE = '__Host-session';

/** Returns a client that is not signed in. */
export function signedOut(email = ''): ConsoleClient {
  const cookies = new Map<string, string>();
  return {
    email,
    cookies,
    async send<T>(method: string, path: string, { body, headers }: SendOptions = {}) {
      const response = await fetch(`${consoleUrl}${CONSOLE_API}${path}`, {
        method,
        redirect: 'manual',
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(cookies.size > 0 && { Cookie: cookieHeader(cookies) }),
          ...headers,
        },
      });
      keepCookies(cookies, response);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parsed<T>(text) };
    },
  };
}

export const TEMPORARY_PASSWORD = 'temporary password';

/** Creates an account if there is none, as a sign-up does, but without an email. */
export async function createAccount(email: string): Promise<void> {
  const request = new AdminCreateUserCommand({
    UserPoolId: setting('SIGN_IN_POOL_ID'),
    Username: email,
    MessageAction: 'SUPPRESS',
    TemporaryPassword: TEMPORARY_PASSWORD,
  });
  await new CognitoIdentityProviderClient().send(request).catch((error: unknown) => {
    if (!(error instanceof UsernameExistsException)) throw error;
  });
}

/**
 * Signs in through the identity provider's form. Creates an account for an unknown address. Pass a client to sign in
 * again in the same browser. Throws if the sign-in does not create a session.
 */
export async function signIn(email: string, client = signedOut(email)): Promise<ConsoleClient> {
  await createAccount(email);
  const before = client.cookies.get(SESSION_COOKIE);
  const hasBegun = () => ![undefined, before].includes(client.cookies.get(SESSION_COOKIE));
  const submit = beginSignIn(email, client);
  let ended = await submit();
  // A new person signs in twice, because the first sign-in has only one factor.
  if (!hasBegun()) ended = await submit();
  if (!hasBegun())
    throw new Error(`The sign-in of ${email} ended at ${ended.url} with status ${ended.status}.`);
  return client;
}

/** Begins a sign-in. Each call of the result submits the form of the page at which the last one ended. */
export function beginSignIn(email: string, client: ConsoleClient): (password?: string) => Promise<Visited> {
  const jars = new Map([[consoleUrl, client.cookies]]);
  let page = visit(`${consoleUrl}${CONSOLE_API}/session/start?to=/keys`, jars);
  return async (password = TEMPORARY_PASSWORD) => {
    const { text, url } = await page;
    const form = emailForm(text, url);
    form.fields.set(form.emailField, email);
    form.fields.set('password', password);
    page = visit(form.action, jars, form.fields);
    return page;
  };
}

interface Visited {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const MAX_REDIRECTS = 12;

/** Opens an address and follows redirects. Keeps each origin's cookies separate. */
async function visit(
  address: string,
  jars: Map<string, Map<string, string>>,
  fields?: URLSearchParams,
): Promise<Visited> {
  let [url, body] = [address, fields];
  for (let count = 0; count < MAX_REDIRECTS; count += 1) {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      ...(body && { method: 'POST', body }),
      headers: { ...(jar.size > 0 && { Cookie: cookieHeader(jar) }) },
    });
    keepCookies(jar, response);
    const text = await response.text();
    const location = response.headers.get('Location');
    if (location === null) return { url, status: response.status, text };
    [url, body] = [new URL(location, url).href, undefined];
    // The last redirect leads to a page of the console, which need not be opened.
    if (new URL(url).origin === consoleUrl && !url.includes(CONSOLE_API))
      return { url, status: 200, text: '' };
  }
  throw new Error(`More than ${MAX_REDIRECTS} redirects from ${address}.`);
}

function emailForm(html: string, url: string) {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, one = '']) => one);
    const email = inputs.find((one) => attribute(one, 'type') === 'email');
    if (!email) continue;
    const fields = new URLSearchParams();
    for (const one of inputs)
      if (attribute(one, 'type') === 'hidden') fields.set(attribute(one, 'name'), attribute(one, 'value'));
    return {
      action: new URL(attribute(attributes, 'action'), url).href,
      emailField: attribute(email, 'name'),
      fields,
    };
  }
  throw new Error(`${url} has no form with an email address.`);
}

/** Returns the value of an attribute, or an empty string if it is absent. Decodes only `&amp;`. */
function attribute(text: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(text) ?? [];
  return value.replaceAll('&amp;', '&');
}

function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(/; */);
    const [name = '', ...value] = pair.split('=');
    const isGone = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
    if (isGone) jar.delete(name);
    else jar.set(name, value.join('='));
  }
}

const cookieHeader = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

function parsed<T>(text: string): ConsoleEnvelope<T> | undefined {
  try {
    return JSON.parse(text) as ConsoleEnvelope<T>;
  } catch {
    return undefined;
  }
}

export async function sessionOf(client: ConsoleClient): Promise<SessionView> {
  const { status, json } = await client.send<SessionView>('GET', '/session');
  if (!json?.data) throw new Error(`The session of ${client.email} was rejected: ${status}.`);
  return json.data;
}

function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}
