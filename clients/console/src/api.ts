import type { ConsoleEnvelope } from '../../../shared/http/console/envelope.ts';

/** Calls the console's API. A failure is returned instead of thrown, so that every caller has to handle it. */

export type Result<T> =
  | { readonly ok: true; readonly data: T; readonly message: string }
  | { readonly ok: false; readonly problem: Problem };

export interface Problem {
  /** The code of the response, `OFFLINE` if there is none, or `UNKNOWN` if it is not from the console. */
  readonly code: string;
  readonly message: string;
  /**
   * The path of the rejected field in the body, such as `billing_contact.email`; empty if the problem does not concern
   * a single field.
   */
  readonly field: string;
  /** Empty unless the console has responded. */
  readonly requestId: string;
  /** Whether the same request may succeed if it is repeated. */
  readonly isTemporary: boolean;
}

const API = '/console/api';

/** Reads a route of the console's API. `path` is relative to `/console/api`. */
export async function get<T>(path: string): Promise<Result<T>> {
  return afterRejection(await request<T>(path, {}), noInput);
}

/** Reads without leaving the page, even if the session is rejected. */
export const getQuietly = <T>(path: string): Promise<Result<T>> => request<T>(path, {});

/**
 * The organisation that the page shows. A write is rejected if the session has switched to another one in the meantime.
 */
export const shown: { organisation?: string | undefined } = {};

/** Sends a change. `keepInput` is called before the browser leaves this page, for example for a new sign-in. */
export async function send<T>(
  method: 'POST' | 'PUT',
  path: string,
  body: object,
  keepInput: () => void = noInput,
): Promise<Result<T>> {
  const result = await request<T>(path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(shown.organisation && { 'Console-Organisation': shown.organisation }),
    },
    body: JSON.stringify(body),
  });
  return afterRejection(result, keepInput);
}

const noInput = () => undefined;

async function request<T>(path: string, options: RequestInit): Promise<Result<T>> {
  try {
    const headers = { Accept: 'application/json', ...options.headers };
    return await resultOf<T>(await fetch(`${API}${path}`, { ...options, headers }));
  } catch {
    return failure(
      'OFFLINE',
      'There is no connection to the console. Your input is kept. Check your connection, then retry.',
    );
  }
}

async function resultOf<T>(response: Response): Promise<Result<T>> {
  // An error page from a proxy is not a response from the console.
  if (!response.headers.get('Content-Type')?.startsWith('application/json'))
    return failure('UNKNOWN', 'The console sent an unexpected response. Wait a moment, then retry.');
  const { success, data, code, message, error, meta }: ConsoleEnvelope<T> = await response.json();
  if (success) return { ok: true, data: data as T, message };
  const isTemporary = response.status >= 500 || code === 'RATE_LIMITED';
  const problem = { code, message, field: error?.field ?? '', requestId: meta.request_id, isTemporary };
  return { ok: false, problem };
}

function failure(code: string, message: string): Result<never> {
  return { ok: false, problem: { code, message, field: '', requestId: '', isTemporary: true } };
}

/**
 * Opens the sign-in page, or the page that creates an organisation, if the response requires it. The promise then
 * stays pending until the browser leaves the page.
 */
function afterRejection<T>(result: Result<T>, keepInput: () => void): Result<T> | Promise<Result<T>> {
  const address = result.ok ? undefined : addressAfter(result.problem);
  if (!address || address === location.pathname) return result;
  keepInput();
  openOnce(address);
  return new Promise(() => undefined);
}

/** The address that the browser is opening. */
let opening = '';

/** Opens an address only once: most pages send several requests, all of which are then rejected. */
function openOnce(address: string): void {
  if (address === opening) return;
  opening = address;
  // If the page is still open by then, for example because loading was stopped, the next rejection tries again.
  setTimeout(() => {
    opening = '';
  }, 10_000);
  location.assign(address);
}

function addressAfter({ code }: Problem): string | undefined {
  const here = encodeURIComponent(location.pathname + location.search);
  if (code === 'SIGN_IN_REQUIRED') return `/sign-in?to=${here}`;
  if (code === 'RECENT_SIGN_IN_REQUIRED') return `${API}/session/start?again=1&to=${here}`;
  return code === 'ORGANISATION_REQUIRED' ? '/new-organisation' : undefined;
}

/** Returns the address at which the sign-in starts. Afterwards, the browser returns to `to`, a path of this site. */
export function signInAddress(to: string): string {
  return `${API}/session/start?to=${encodeURIComponent(to)}`;
}
