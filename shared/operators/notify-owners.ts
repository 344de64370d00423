import { errorFields, logger } from '../core/logger.ts';
import { operatorChangeMail } from '../members/mail.ts';
import type { Membership } from '../members/rows.ts';
import type { ActionContext } from './action.ts';
import { ownersOf } from './operations/members.ts';

/**
 * Sends an email to the owners of an organisation about a change that operators made to its keys or members. `what`
 * completes the sentence "On 30 November ...,". An email that fails does not undo the change. `owners` are those before
 * the change, if it changes them.
 */
export async function notifyOwners(
  organisationId: string,
  what: string,
  context: ActionContext,
  owners?: readonly Membership[],
): Promise<void> {
  const pages = context.console();
  if (!pages) return;
  const at = new Date(context.clock.nowMs()).toISOString();
  const mails = (owners ?? (await ownersOf(organisationId, context))).map(({ email, organisationName }) =>
    pages.sendMail(operatorChangeMail(email, { organisationName, what, at, consoleUrl: pages.url })),
  );
  for (const result of await Promise.allSettled(mails))
    if (result.status === 'rejected')
      logger.error('An owner was not notified.', {
        organisation: organisationId,
        ...errorFields(result.reason),
      });
}
