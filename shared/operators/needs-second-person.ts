import type { ApprovedOrder } from './operations/approved-order.ts';

/**
 * Whether a change needs a second person, according to the stage's setting `secondPerson`. In an organisation without
 * an owner, one operator may create keys and invite people, because nobody else can.
 */
export async function needsSecondPerson(
  order: ApprovedOrder,
  creditsAbove: number | undefined,
  /** Whether the organisation has an owner. */
  hasOwner: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  if (creditsAbove === undefined) return false;
  switch (order.work) {
    case 'credit':
      return order.kind === 'CORRECTION' || order.amount > creditsAbove;
    case 'credit-note':
    case 'reversal':
      return order.credits > creditsAbove;
    case 'key':
    case 'key-rotation':
    case 'key-update':
    case 'invitation':
    case 'removal':
      return hasOwner();
    default:
      return true;
  }
}
