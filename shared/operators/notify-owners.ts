import { mailOwners } from '../members/mail.ts';
import type { Membership } from '../members/rows.ts';
import type { ActionContext } from './action.ts';
import { ownersOf } from './operations/members.ts';

/**
 * Sends an email to the owners of an organisation about a change that operators made to its access, prices, keys or members. `what`
 * completes the sentence "On 30 November ...,". An email that fails does not undo the change. `owners` are those before
 * the change, if it changes them.
 */
export async function notifyOwners(
  organisationId: string,
  what: string,
  context: ActionContext,
  {
    owners,
    because,
  }: { readonly owners?: readonly Membership[]; readonly because?: string | undefined } = {},
): Promise<void> {
  const pages = context.console();
  if (!pages) return;
  const at = new Date(context.clock.nowMs()).toISOString();
  const notified = owners ?? (await ownersOf(organisationId, context));
  await mailOwners(notified, { what, by: undefined, because, at, consoleUrl: pages.url }, pages.sendMail);
}
