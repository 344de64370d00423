/**
 * The checker's input as plain JSON: the rows as they became durable, and the responses that were sent. The checker
 * follows docs/design/ledger.md alone. No file in this folder imports code from the service.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonRow = { readonly [key: string]: Json };

/** One row after a write, or null if it was deleted. */
export interface RowVersion {
  readonly table: 'Wallets' | 'VerificationLogs';
  readonly pk: string;
  readonly sk: string;
  readonly row: JsonRow | null;
}

/** The rows that one write or one transaction changed. */
export interface Commit {
  readonly atMs: number;
  /** When the sender began this attempt, by its own clock; absent in an export, and if the rows expired. */
  readonly begunMs?: number;
  readonly versions: readonly RowVersion[];
  /** Whether the rows were deleted by time to live. */
  readonly isExpiry: boolean;
  /** Whether any of its writes was sent without a condition. */
  readonly isUnconditional: boolean;
}

/** One request of a client, and its response if one was sent. */
export interface ClientCall {
  readonly requestId: string;
  /** `<env>#<org>` */
  readonly wallet: string;
  /** The idempotency key, or an empty string. */
  readonly key: string;
  /** The same key with a different body makes a different request. */
  readonly body: string;
  readonly cost: number;
  /** The number of shards that the wallet had when the request began. */
  readonly shards: number;
  readonly sentAtMs: number;
  /** The number of commits when the request was sent. */
  readonly sentAfter: number;
  response?: ClientResponse;
}

export interface ClientResponse {
  readonly atMs: number;
  /** The number of commits when the response was sent. */
  readonly after: number;
  /** `VERIFIED`, an error code, or the kind of a result without a record. */
  readonly code: string;
  readonly hasData: boolean;
  readonly isReplay: boolean;
  readonly creditsCharged: number;
}

/** One attempt to send a payment, as the payer sees it. */
export interface Payment {
  readonly wallet: string;
  readonly reference: string;
  readonly amount: number;
  /** Whether the payer received a confirmation. */
  isConfirmed: boolean;
}

/** One run of an erasure as the operator sees it. */
export interface Erasure {
  readonly wallet: string;
  /** The number, as in `ClientCall.body`. */
  readonly body: string;
  /** Every tag of the number. */
  readonly tags: readonly string[];
  readonly startedMs: number;
  /** The number of commits when the erasure was complete; absent if it was interrupted. */
  completedAfter?: number;
}

export interface Evidence {
  readonly wallets: readonly string[];
  /** The maximum number of holds in a shard. */
  readonly maxHolds: number;
  readonly commits: readonly Commit[];
  readonly calls: readonly ClientCall[];
  readonly payments: readonly Payment[];
  readonly erasures: readonly Erasure[];
  /** The number of commits when the faults ended. A sweeper then runs every minute for three minutes. */
  readonly calmAfter: number;
  /** The number of commits after these three minutes. */
  readonly settledAfter: number;
}
