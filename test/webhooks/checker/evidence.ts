/** What a history records for the checker: plain data, without code from the service. */

export type Json = Readonly<Record<string, unknown>>;

export interface SeenPost {
  readonly atMs: number;
  /** When the sender received the result, or gave up. */
  readonly endMs: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly result: 'ok' | 'failed' | 'gone';
}

/** An event as it was published. */
export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  /** The owners that it concerns, as `<env>#<org>`. */
  readonly owners: readonly string[];
  readonly startedAtMs: number;
  /** When the first run completed. Undefined if no run has. */
  completedAtMs?: number;
  /** The number of runs that failed or were killed. What they sent may arrive hours later. */
  openRuns: number;
}

export interface SeenEndpoint {
  /** `<env>#<org>`. */
  readonly owner: string;
  readonly id: string;
  readonly types: readonly string[];
  readonly createdAtMs: number;
  /** All addresses that it had, or may have had. */
  readonly urls: string[];
  readonly secrets: { readonly text: string; readonly fromMs: number }[];
  /** The changes to the endpoint, successful or not: when each began, and its kind. */
  readonly changes: { readonly atMs: number; readonly act: string }[];
  /** Whether a rotation ended without a response, so that its secret is not known. */
  hasUnknownSecret: boolean;
}

export interface WebhookEvidence {
  /** Whether the history had neither faults nor killed functions. */
  readonly isCalm: boolean;
  readonly endMs: number;
  readonly events: readonly SeenEvent[];
  readonly endpoints: readonly SeenEndpoint[];
  readonly posts: readonly SeenPost[];
  readonly rows: readonly Json[];
  readonly unconditionalWrites: number;
  readonly deadLetters: number;
  /** The IDs of deliveries whose resend, and of endpoints whose test or replay, ended without a response. */
  readonly interrupted: ReadonlySet<string>;
  /** The test events that members sent successfully: the ID of each, and of its endpoint. */
  readonly tests: readonly { readonly id: string; readonly endpoint: string }[];
  readonly logs: readonly string[];
}

/**
 * Strings in the events and addresses of every history. No body or log may contain them, and rows may contain them only
 * in addresses.
 */
export const CANARIES = ['70123456789', 'CANARY-NAME', 'token=canary'];
