import { errorFields, logger } from '../core/logger.ts';
import { changeMail, type OrganisationChange, type SendMail } from './mail.ts';
import type { Membership } from './rows.ts';

/** Sends an email about a change to each of these owners. If that fails, the change remains. */
export async function mailOwners(
  owners: readonly Membership[],
  change: Omit<OrganisationChange, 'organisationName'>,
  sendMail: SendMail,
): Promise<void> {
  const sent = await Promise.allSettled(
    owners.map(({ email, organisationName }) => sendMail(changeMail(email, { ...change, organisationName }))),
  );
  for (const [index, result] of sent.entries())
    if (result.status === 'rejected')
      logger.error('An owner was not notified.', {
        organisation: owners[index]?.organisationId,
        ...errorFields(result.reason),
      });
}
