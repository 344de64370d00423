/** The structure of clients/conformance.json, which clients/README.md explains. */

export type CallName = 'verify' | 'slip' | 'balance' | 'top_up';
type Range = readonly [smallest: number, largest: number];

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: string;
  readonly error?: object;
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
}

export interface Step {
  readonly send?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly interim?: boolean;
  readonly after_s?: number;
  readonly cut?: 'reset' | 'close' | 'head' | 'body' | 'body_reset';
  readonly hang?: 'response' | 'body';
  readonly raw?: string;
}

export interface ExpectedError {
  readonly kind?: string;
  readonly code?: string | null;
  readonly status?: number | null;
  readonly charged?: boolean | null;
  readonly retryable?: boolean;
  readonly retry_after_s?: number | null;
  readonly reason?: string | null;
  readonly field?: string | null;
  readonly hint?: string | null;
}

export interface Expected {
  readonly value?: { readonly credits_charged?: number };
  readonly error?: ExpectedError;
}

export interface Situation {
  readonly name: string;
  readonly calls?: readonly CallName[];
  readonly client?: { readonly timeout_s?: number; readonly max_retries?: number; readonly api_key?: string };
  readonly number?: string;
  readonly supplied_key?: boolean;
  readonly server: 'refused' | readonly Step[];
  readonly expect: Expected & {
    readonly attempts: number;
    readonly waits_s?: readonly Range[];
    readonly elapsed_s?: Range;
  };
}

export type ConnectionFault =
  | 'tls_to_plain'
  | 'tls_1_1'
  | 'client_certificate'
  | 'closed_in_handshake'
  | 'reset_in_handshake'
  | 'no_server_auth'
  | 'untrusted'
  | 'proxy_407'
  | 'proxy_502';

/** A call whose connection is not established, so that nothing can be charged. */
export interface FailedConnection {
  readonly name: string;
  readonly server: ConnectionFault;
  readonly expect: { readonly connections: number; readonly requests: number; readonly error: ExpectedError };
}

export interface ConformanceTable {
  readonly number: string;
  readonly api_key: string;
  readonly supplied_key: string;
  readonly defaults: { readonly timeout_s: number };
  readonly responses: Readonly<Record<string, ScriptedResponse>>;
  readonly situations: readonly Situation[];
  readonly connections: readonly FailedConnection[];
  readonly service: readonly { readonly name: string; readonly number: string; readonly expect: Expected }[];
}

export const SUCCESS: Readonly<Record<CallName, string>> = {
  verify: 'found',
  slip: 'slip',
  balance: 'balance',
  top_up: 'top_up',
};

export const REQUEST_ID = 'req_0123456789ab';

export function bodyOf({ code, error, json, text, type }: ScriptedResponse): { text: string; type: string } {
  if (text !== undefined) return { text, type: type ?? 'text/plain' };
  const meta = { request_id: REQUEST_ID, timestamp: '2026-01-15T09:30:00.000Z' };
  const envelope = { success: false, code, message: 'A message.', data: null, error, meta };
  return { text: JSON.stringify(json ?? envelope), type: 'application/json' };
}
