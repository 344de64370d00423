import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';

/** A row of the verification log as the ledger writes it: once, and never changed. */
export interface LogEntry {
  readonly wallet: WalletId;
  /** Pseudonym of the number under the organisation's own key. */
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
  /** The operation id of the charge that a free replay repeats. */
  readonly replayOf?: string;
  readonly consent?: string;
  readonly reason?: string;
}

export interface VerificationLog {
  /** Writes the row if the operation has none; an existing row does not change. */
  writeOnce(entry: LogEntry): Promise<void>;
  /** Whether the operation has a row. Strongly consistent. */
  exists(entry: Pick<LogEntry, 'wallet' | 'numberTag' | 'operationId'>): Promise<boolean>;
}
