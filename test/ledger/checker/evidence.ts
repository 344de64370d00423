/**
 * What the checker reads: plain JSON of the rows as they became durable, and what the clients saw. It knows the
 * tables from the design page alone; nothing here or beside it imports the product.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonRow = { readonly [key: string]: Json };

/** One row after a write; null where it is gone. */
export interface RowVersion {
  readonly table: 'Wallets' | 'VerificationLogs';
  readonly pk: string;
  readonly sk: string;
  readonly row: JsonRow | null;
}

/** What one write, or one transaction, changed at one instant. */
export interface Commit {
  readonly atMs: number;
  readonly versions: readonly RowVersion[];
  /** Deleted by time to live. */
  readonly isExpiry: boolean;
  /** Was any of its writes sent without a condition? */
  readonly isUnconditional: boolean;
}

/** One request as its client knows it. */
export interface ClientCall {
  readonly requestId: string;
  /** `<env>#<org>` */
  readonly wallet: string;
  /** The idempotency key; empty without one. */
  readonly key: string;
  /** What was asked: the same key with another body is another request. */
  readonly body: string;
  readonly cost: number;
  /** How many shards the wallet had when the request began. */
  readonly shards: number;
  readonly sentAtMs: number;
  /** Commits that stood when it was sent. */
  readonly sentAfter: number;
  answer?: ClientResponse;
}

export interface ClientResponse {
  readonly atMs: number;
  /** Commits that stood when the answer left. */
  readonly after: number;
  /** `VERIFIED`, or the error's code. */
  readonly code: string;
  readonly hasData: boolean;
  readonly isReplay: boolean;
  readonly creditsCharged: number;
}

/** A payment as the payer knows it. */
export interface Payment {
  readonly wallet: string;
  readonly reference: string;
  readonly amount: number;
  /** Was it confirmed to the payer? */
  isConfirmed: boolean;
}

export interface Evidence {
  readonly wallets: readonly string[];
  /** The bulkhead: holds that a shard may have. */
  readonly maxHolds: number;
  readonly commits: readonly Commit[];
  readonly calls: readonly ClientCall[];
  readonly payments: readonly Payment[];
  /** From this commit on nothing failed any more, and every minute somebody swept. */
  readonly calmAfter: number;
  /** Three minutes later. */
  readonly settledAfter: number;
}
