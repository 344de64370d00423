import { signal } from '@preact/signals';
import type { ConsoleEnvelope } from '../../../shared/http/console/envelope.ts';

/** Calls the console's API. A failure is returned instead of thrown, so that every caller has to handle it. */

export type Result<T> =
  | { readonly ok: true; readonly data: T; readonly message: string }
  | { readonly ok: false; readonly problem: Problem };

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface Problem {
  /** The code of the response, `OFFLINE` if there is none, or `UNKNOWN` if it is not from the console. */
  readonly code: string;
  readonly message: string;
  /**
   * The path of the rejected field in the body, such as `billing_contact.email`; empty if the problem does not concern
   * a single field.
   */
  readonly field: string;
  /** The other rejected fields. */
  readonly others: readonly FieldProblem[];
  /** Empty unless the console has responded. */
  readonly requestId: string;
  /** Whether the same request may succeed if it is repeated. */
  readonly isTemporary: boolean;
}

const API = '/console/api';

export async function get<T>(path: string): Promise<Result<T>> {
  return afterRejection(await request<T>(path, {}));
}

/** Reads without leaving the page, even if the session is rejected. */
export const getQuietly = <T>(path: string): Promise<Result<T>> => request<T>(path, {});

export async function send<T>(method: 'POST' | 'PUT', path: string, body: object): Promise<Result<T>> {
  const headers = { 'Content-Type': 'application/json' };
  const result = await request<T>(path, { method, headers, body: JSON.stringify(body) });
  if (result.ok) interrupted.value = '';
  return afterRejection(result);
}

const INTERRUPTED = 'interrupted';

/** The address of the page whose last action a new sign-in has interrupted, unless a form has kept its input. */
export const interrupted = signal(globalThis.sessionStorage?.getItem(INTERRUPTED) ?? '');
globalThis.sessionStorage?.removeItem(INTERRUPTED);

/** The header in which requests and responses name the page, as below. */
const PAGE = 'Console-Page';

/**
 * The organisation and the person whose data the page shows, as the first response names them. Requests that are sent
 * later name them, and are rejected if the session has been replaced since then, for example in another tab.
 */
export const shownPage = signal<string | undefined>(undefined);

/** How far the clock of the console is ahead of this computer's, which may be wrong by hours. */
let aheadMs = 0;

/** The time of the console. */
export const consoleNowMs = () => Date.now() + aheadMs;

/** Called before the browser leaves the page by itself. Each returns whether its form is being sent. */
export const beforeLeaving = new Set<() => boolean>();

async function request<T>(path: string, options: RequestInit): Promise<Result<T>> {
  const sent = shownPage.peek();
  try {
    const headers = { Accept: 'application/json', ...options.headers, ...(sent && { [PAGE]: sent }) };
    const response = await fetch(`${API}${path}`, { ...options, headers });
    return isOfPage(response, options.method) ? await resultOf<T>(response) : leave(here());
  } catch {
    return failure(
      'OFFLINE',
      'There is no connection. Your input is kept. Check your connection, then retry.',
    );
  }
}

/**
 * Whether a response belongs to what the page shows. A change may move the session, for example to a new organisation.
 * The first requests are sent before the page is known, so their responses may differ.
 */
function isOfPage({ headers, ok }: Response, changeMethod: string | undefined): boolean {
  const named = headers.get(PAGE);
  const shown = shownPage.peek();
  if (named && named !== shown) {
    if (shown && !(changeMethod && ok)) return false;
    shownPage.value = named;
  }
  return true;
}

async function resultOf<T>(response: Response): Promise<Result<T>> {
  // An error page from a proxy is not a response from the console.
  if (!response.headers.get('Content-Type')?.startsWith('application/json'))
    return failure('UNKNOWN', 'The console sent an unexpected response. Wait a moment, then retry.');
  const { success, data, code, message, error, meta }: ConsoleEnvelope<T> = await response.json();
  aheadMs = Date.parse(meta.timestamp) - Date.now();
  if (success) return { ok: true, data: data as T, message };
  const isTemporary = response.status >= 500 || code === 'RATE_LIMITED';
  const { field = '', others = [] } = error ?? {};
  const shown = others.map((one) => ({ ...one, message: withoutPath(one.message) }));
  const found = { code, message: withoutPath(message), field, others: shown };
  const problem = { ...found, requestId: meta.request_id, isTemporary };
  return { ok: false, problem };
}

/** People do not see the path of a field. The rest of the message says what to enter. */
const withoutPath = (message: string) =>
  message.replace(/^The (field|query parameter) \S+ is not valid\. (?=\S)/, '');

function failure(code: string, message: string): Result<never> {
  return { ok: false, problem: { code, message, field: '', others: [], requestId: '', isTemporary: true } };
}

/** Opens the sign-in page, or the page that creates an organisation, if the response requires it. */
function afterRejection<T>(result: Result<T>): Result<T> | Promise<Result<T>> {
  const address = result.ok ? undefined : addressAfter(result.problem);
  if (!address || address === location.pathname) return result;
  const isOfForm = [...beforeLeaving].map((keep) => keep()).includes(true);
  if (!result.ok && result.problem.code === 'RECENT_SIGN_IN_REQUIRED' && !isOfForm)
    sessionStorage.setItem(INTERRUPTED, here());
  return leave(address);
}

let opening = '';

/**
 * Opens an address, which may be that of this page, but only once: most pages send several requests, all of which are
 * then rejected. The promise stays pending until the browser leaves the page.
 */
function leave(address: string): Promise<never> {
  for (const keep of beforeLeaving) keep();
  if (address !== opening) {
    opening = address;
    // If the page is still open by then, for example because loading was stopped, the next rejection tries again.
    setTimeout(() => {
      opening = '';
    }, 10_000);
    location.assign(address);
  }
  return new Promise(() => undefined);
}

const here = () => location.pathname + location.search;

function addressAfter({ code }: Problem): string | undefined {
  const to = encodeURIComponent(here());
  if (code === 'SIGN_IN_REQUIRED') return `/sign-in?to=${to}`;
  if (code === 'RECENT_SIGN_IN_REQUIRED') return `${API}/session/start?again=1&to=${to}`;
  return code === 'ORGANISATION_REQUIRED' ? '/new-organisation' : undefined;
}

/** Returns the address at which the sign-in starts. Afterwards, the browser returns to `to`, a path of this site. */
export function signInAddress(to: string): string {
  return `${API}/session/start?to=${encodeURIComponent(to)}`;
}
