import type { Outcome } from '../../core/outcome.ts';

/**
 * GET /requests?env=&reference=&service=&outcome=&key=&from=&to=&details=&cursor=&limit= Newest first. `from` and `to`
 * are days in Africa/Lagos, both inclusive. A page may be empty and still have a next page.
 */
export interface RequestsView {
  /** The days that are listed, in Africa/Lagos, both inclusive, and the earliest day that may have requests. */
  readonly from: string;
  readonly to: string;
  readonly first_day: string;
  /** The day in Africa/Lagos back to which this page has looked: without a next page, `from`. */
  readonly read_to: string;
  /** With `details=yes`, for exports, also with these. */
  readonly requests: readonly (RequestView & Partial<Pick<RequestDetails, 'consent' | 'reason' | 'match'>>)[];
  /** Requests of the last 7 days that were rejected before they reserved a credit, counted by minute, code and key. */
  readonly rejected: readonly RejectedRequestsView[];
  readonly next_cursor: string | null;
}

export interface RequestView {
  readonly request_id: string;
  readonly service: string;
  readonly outcome: Outcome;
  readonly http_status: number;
  readonly credits_charged: number;
  /** Whether this is a free replay of a charged request. */
  readonly is_replay: boolean;
  /** The ID of the charged request that a free replay repeats. */
  readonly replay_of: string | null;
  /** The display name. Empty if no provider was asked. */
  readonly provider: string;
  readonly key_label: string;
  readonly latency_ms: number;
  readonly requested_at: string;
  readonly reference: string | null;
}

export interface RejectedRequestsView {
  readonly minute: string;
  readonly code: string;
  readonly http_status: number;
  readonly count: number;
  readonly route: string;
  readonly key_label: string;
  /** The ID of one of these requests. */
  readonly request_id: string;
  /** The documented field that this request was rejected for, if it was for one. */
  readonly field: string | null;
}

/**
 * GET /requests/{request_id}?env= If rejected requests were counted together, only the one whose ID is stored can be
 * found.
 */
export type RequestDetailView =
  | ({ readonly kind: 'request' } & RequestView & RequestDetails)
  | ({ readonly kind: 'rejected' } & RejectedRequestsView & Explanation);

/** An explanation of the response, in sentences for developers. */
export interface Explanation {
  /** What the code means. */
  readonly meaning: string;
  /** Whether and why it was charged. */
  readonly charge: string;
  readonly retry: { readonly helps: 'yes' | 'no' | 'later'; readonly text: string };
}

export interface RequestDetails extends Explanation {
  /** The code of the response. Null if it is not known, for example because the sweeper settled the request. */
  readonly code: string | null;
  /** The display names of the providers that failed before `provider`, in order. Null if they are not known. */
  readonly failed_providers: readonly string[] | null;
  /** Null if they are not known. `registry_ms` is 0 if no provider was asked. */
  readonly timings: {
    readonly checks_ms: number;
    readonly ledger_ms: number;
    readonly registry_ms: number;
  } | null;
  /** Both are the caller's own text. */
  readonly consent: string | null;
  readonly reason: string | null;
  /** How the details that the caller sent compare with the record. */
  readonly match: string | null;
  /** False for requests that made no slip. */
  readonly is_slip_withdrawn: boolean;
  /** The statement line, with its month (`yyyy-mm`, Africa/Lagos). Null if nothing was charged. */
  readonly statement: {
    readonly month: string;
    readonly at: string;
    readonly id: string;
    readonly amount: number;
  } | null;
}

export interface TestRequestView {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The envelope. Null if the response is a PDF. */
  readonly envelope: unknown;
  /** Base64. Null unless the response is a slip. */
  readonly pdf: string | null;
  readonly took_ms: number;
  /** The remaining test credits. */
  readonly available: number;
  /** Whether it has a log row. A request that was rejected before it reserved a credit has none. */
  readonly is_listed: boolean;
  /** What the response means, what it cost, and whether to repeat the request. */
  readonly meaning: string;
  /**
   * The fields of the response with their meanings, in the order in which they appear in it. `name` is a path such as
   * `data.firstname`.
   */
  readonly fields: readonly { readonly name: string; readonly description: string }[];
  /** The same call, with a placeholder for the key. */
  readonly samples: readonly { readonly language: string; readonly code: string }[];
  readonly documentation_url: string;
}
