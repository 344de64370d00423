import type { ApprovedOrder } from './operations/approved-order.ts';
import { limitedCredits } from './unapproved-credits.ts';

/**
 * Whether a change needs a second person, according to the stage's setting `secondPerson`. In an organisation without
 * an owner, one operator may create keys and invite people, because nobody else can.
 */
export async function needsSecondPerson(
  order: ApprovedOrder,
  creditsAbove: number | undefined,
  /** Whether the organisation has an owner. */
  hasOwner: () => Promise<boolean> = async () => true,
  /** What the person has booked alone today. The CLI leaves it to the operator API. */
  creditsToday: () => Promise<number> = async () => 0,
): Promise<boolean> {
  if (creditsAbove === undefined) return false;
  const credits = limitedCredits(order);
  if (credits !== undefined) return credits > creditsAbove || credits + (await creditsToday()) > creditsAbove;
  switch (order.work) {
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
