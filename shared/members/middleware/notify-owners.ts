import { errorFields, logger } from '../../core/logger.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { mailOwners, type SendMail } from '../mail.ts';
import type { MemberReads } from '../member-names.ts';
import { isOwner } from '../role.ts';
import type { Membership } from '../rows.ts';
import type { SignedInRequest } from './member-request.ts';

interface OwnerMail {
  readonly members: MemberReads;
  readonly sendMail: SendMail;
  /** For a change that is not limited: counts the email, and throws if none may be sent. */
  readonly countMail?: () => Promise<void>;
}

/**
 * Tells all owners by email what the member has changed, so that a stolen session cannot change it unnoticed. `what`
 * completes the sentence "At 14:05, ... in the organisation". Does not reject, because the change has been made.
 * `before` are the members before the change, if it ends an owner.
 */
export async function notifyOwners(
  { person, event, nowMs }: SignedInRequest,
  organisationId: string,
  what: string,
  { members, sendMail, countMail }: OwnerMail,
  before?: readonly Membership[],
): Promise<void> {
  try {
    await countMail?.();
    const owners = (before ?? (await members.listMembers(organisationId))).filter(isOwner);
    const at = new Date(nowMs).toISOString();
    const by = person.name || person.email;
    await mailOwners(owners, { what, by, at, consoleUrl: ownOrigin(event) }, sendMail);
  } catch (error) {
    logger.error('The owners were not notified.', { organisation: organisationId, ...errorFields(error) });
  }
}
