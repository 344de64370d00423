import type { WalletId } from '../../core/keys.ts';
import type { Outcome } from '../../core/outcome.ts';

/** What the ledger needs of the verification log: it writes rows once and never changes one. */
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
  /** Puts the row if there is none of this operation; an existing one stays as it is. */
  writeOnce(entry: LogEntry): Promise<void>;
  /** Is there a row of this operation? Strongly consistent. */
  exists(entry: Pick<LogEntry, 'wallet' | 'numberTag' | 'operationId'>): Promise<boolean>;
}
