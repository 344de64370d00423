import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';

/** Its hold has the same details, so that the sweeper writes a complete row. */
export interface LogDetails {
  /** The caller's own references (contract A3). */
  readonly consent?: string | undefined;
  readonly reason?: string | undefined;
  readonly reference?: string | undefined;
  /** An erasure clears the fingerprint there. */
  readonly idempotencyHash?: string | undefined;
}

export function logDetails({ consent, reason, reference, idempotencyHash }: LogDetails): LogDetails {
  return {
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
    ...(reference !== undefined && { reference }),
    ...(idempotencyHash !== undefined && { idempotencyHash }),
  };
}

/** Log rows that the request did not write itself lack them. No identity data. */
export interface RequestCourse {
  readonly code?: string | undefined;
  /** How the details that the caller sent compare with the record: `strong`, for example. */
  readonly matchOverall?: string | undefined;
  /** Those asked before the one that returned the result, in order. */
  readonly failedProviders?: readonly string[] | undefined;
  /**
   * Whole milliseconds until the result: waiting for providers; claiming the key and reserving credits; everything
   * else.
   */
  readonly registryMs?: number | undefined;
  readonly ledgerMs?: number | undefined;
  readonly checksMs?: number | undefined;
}

/** Only an erasure changes it later. */
export interface LogEntry extends LogDetails, RequestCourse {
  readonly wallet: WalletId;
  /** HMAC under a secret of the organisation. */
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
  /** The charge that a free replay repeats. */
  readonly replayOf?: string;
  /** The request of that charge. */
  readonly replayedRequestId?: string;
}

interface FoundLog {
  readonly isLogged: boolean;
  readonly isErased: boolean;
  /** Epoch milliseconds; 0 if never. */
  readonly erasedAtMs: number;
}

export interface VerificationLog {
  /** An existing row does not change. Sent once, because the caller must check the time before each send. */
  writeOnce(entry: LogEntry): Promise<void>;
  /** Strongly consistent. */
  find(entry: LogEntry): Promise<FoundLog>;
  /**
   * Returns `erased` and writes nothing if the number was erased since the operation began. One transaction, so that no
   * erasure completes in between.
   */
  writeUnlessErased(entry: LogEntry): Promise<'logged' | 'erased'>;
  /** Without its details, and under a tag derived from the operation instead of the number. */
  writeErased(entry: LogEntry): Promise<void>;
}
