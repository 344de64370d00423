import { type Lot, refundedCredits } from '../lots/lot.ts';
import { refundOf } from '../lots/lot-value.ts';
import type { Amounts } from '../naira.ts';
import type { TopUpOrder } from './order.ts';

/**
 * A payment that was reversed after its credits were added (contract P5). Each kobo is covered by a credit note, booked
 * as a loss or a receivable, or open.
 */

export interface OpenReversal extends Amounts {
  readonly credits: number;
}

type ReversalFacts = Pick<TopUpOrder, 'state' | 'problem' | 'reversedAt'>;

export function isReversed({ state, problem, reversedAt }: ReversalFacts): boolean {
  // Earlier versions stored only the problem.
  return reversedAt !== undefined || (state === 'CREDITED' && problem !== undefined);
}

/** The part that no credit note covers, up to `month` if it is set. */
export function notTakenBack(lot: Lot, month?: string): OpenReversal {
  const before = refundedCredits(lot, month);
  const credits = lot.credits - before;
  return { credits, ...refundOf(lot, { before, now: credits }) };
}

/** Undefined if nothing is open. */
export function openReversal(
  order: ReversalFacts & Pick<TopUpOrder, 'bookedReversal'>,
  lot: Lot | undefined,
): OpenReversal | undefined {
  if (!isReversed(order) || order.bookedReversal || !lot) return undefined;
  const open = notTakenBack(lot);
  return open.credits > 0 ? open : undefined;
}
