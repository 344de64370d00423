import type { WalletId } from '../../core/keys.ts';

/** What the reconciler may find, and the invariant of the ledger design that the rows do not keep. */
export const DIFFERENCE_KINDS = {
  balance: 'credited is available, holds and spent charges together',
  credits: 'credited is the sum of the credit rows',
  'negative-balance': 'available is never below zero',
  'missing-shard': 'every shard of a wallet has its item',
  'unreachable-shard': 'nothing lies in shards that the organisation does not use',
  'old-hold': 'no hold is older than 5 minutes',
  'charge-without-log': 'every charge row of a held request has its log row',
  'log-without-charge': 'every log row has its charge row',
  'several-logs': 'an operation has one log row',
  'log-disagrees': 'charge row and log row tell the same operation, request, outcome and cost',
  'day-totals': 'charge rows and log rows of a day are as many and cost as much',
  replay: 'a free replay repeats a charged operation',
  idempotency: 'an idempotency row tells the same request as the charge row it names',
  'row-keys': 'keys, index attributes and expiry of a row match what it says',
  unreadable: 'every row has its documented shape',
  'unknown-wallet': 'every row belongs to a wallet of an organisation',
} as const;
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** One thing that does not agree, as data: the reconciler repairs nothing. It carries no identity data. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly env: string;
  readonly organisation: string;
  /** UTC day of the operation or credit; the day of the run where a whole wallet differs. */
  readonly day: string;
  readonly requestId?: string;
  readonly operationId?: string;
  /** The payer's reference of a credit row. */
  readonly reference?: string;
  readonly expected: string | number;
  readonly found: string | number;
}

/** Of what a difference is told: a request, a credit, or else the wallet itself. */
export type DifferenceSubject = Pick<Difference, 'day' | 'requestId' | 'operationId' | 'reference'>;

export function difference(
  kind: DifferenceKind,
  { env, organisationId }: WalletId,
  subject: DifferenceSubject,
  expected: string | number,
  found: string | number,
): Difference {
  return { kind, env, organisation: organisationId, ...subject, expected, found };
}

/** `2026-11-21`, UTC. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
