import type { WalletId } from '../../core/keys.ts';

/** The kinds of differences, each with the rule that the rows break. docs/finance.md lists them for finance. */
export const DIFFERENCE_KINDS = {
  balance: 'credited equals the sum of available credits, holds and charges whose hold is removed',
  credits: 'credited equals the sum of the credit rows',
  'negative-balance': 'available is never below zero',
  'missing-shard': 'every shard of a wallet exists',
  'unreachable-shard': 'shards that the organisation does not use are empty',
  'old-hold': 'no hold is older than 5 minutes',
  'charge-without-log': 'every charge row of a reserved request has a log row',
  'log-without-charge': 'every log row has a charge row',
  'several-logs': 'an operation has only one log row',
  'log-disagrees':
    'the charge row and the log row of an operation have the same operation ID, request ID, outcome and cost',
  'day-totals': 'for each day, charge rows and log rows have the same number and the same total cost',
  replay: 'a free replay costs nothing and repeats a charged operation',
  idempotency: 'an idempotency row has the same request ID as the charge row that it refers to',
  'row-keys': 'the keys, index attributes and expiry of a row match its other attributes',
  unreadable: 'every row has the documented structure',
  'unknown-wallet': 'every row belongs to a wallet of an existing organisation',
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
