import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';

/** What a request adds to its log row. Its hold has the same details, so that the sweeper writes a complete row. */
export interface LogDetails {
  /** The caller's own references (contract A3). */
  readonly consent?: string | undefined;
  readonly reason?: string | undefined;
  readonly reference?: string | undefined;
  /** Key of the request's idempotency row: an erasure clears the fingerprint there. */
  readonly idempotencyHash?: string | undefined;
}

/** Returns the details of a request or of its hold, without those that are absent. */
export function logDetails({ consent, reason, reference, idempotencyHash }: LogDetails): LogDetails {
  return {
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
    ...(reference !== undefined && { reference }),
    ...(idempotencyHash !== undefined && { idempotencyHash }),
  };
}

/**
 * Details of a request that only the request itself knows. Log rows that the request did not write itself lack them.
 * No identity data.
 */
export interface RequestCourse {
  /** The code of the response that the request was about to send when it wrote the row. */
  readonly code?: string | undefined;
  /**
   * The names of the providers that were asked before the one that returned the result, in order. Absent if there are
   * none.
   */
  readonly failedProviders?: readonly string[] | undefined;
  /**
   * The time until the result was known, in whole milliseconds and in three parts: waiting for providers; claiming the
   * idempotency key and reserving credits; everything else.
   */
  readonly registryMs?: number | undefined;
  readonly ledgerMs?: number | undefined;
  readonly checksMs?: number | undefined;
}

/** A row of the verification log as the ledger writes it, once. Only an erasure changes it later. */
export interface LogEntry extends LogDetails, RequestCourse {
  readonly wallet: WalletId;
  /** Pseudonym of the number: an HMAC under a secret of the organisation. */
  readonly numberTag: string;
  readonly operationId: string;
  readonly requestId: string;
  readonly service: string;
  readonly outcome: Outcome;
  readonly httpStatus: number;
  readonly creditsCharged: number;
  readonly provider: string;
  readonly keyLabel: string;
  readonly latencyMs: number;
  /** ISO time of the request. */
  readonly requestedAt: string;
  /** The operation ID of the charge that a free replay repeats. */
  readonly replayOf?: string;
}

interface FoundLog {
  /** Whether the operation has a row under the number's tag. */
  readonly isLogged: boolean;
  /** Whether the number has been erased since the operation began. */
  readonly isErased: boolean;
  /** When the number was erased, in epoch milliseconds; 0 if it never was. */
  readonly erasedAtMs: number;
}

export interface VerificationLog {
  /**
   * Writes the row if the operation has none; an existing row does not change. Sends the write once, because the caller
   * must check the time before each send.
   */
  writeOnce(entry: LogEntry): Promise<void>;
  /** Returns what the log contains about the operation. Strongly consistent. */
  find(entry: LogEntry): Promise<FoundLog>;
  /**
   * Writes the row if the operation has none, unless the number has been erased since the operation began. In that
   * case, returns `erased` and writes nothing. Uses one transaction, so that no erasure completes in between.
   */
  writeUnlessErased(entry: LogEntry): Promise<'logged' | 'erased'>;
  /**
   * Writes the row, if there is none, without its details and under a tag derived from the operation instead of the
   * number.
   */
  writeErased(entry: LogEntry): Promise<void>;
}
