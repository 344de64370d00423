import { ServiceError } from '../../core/errors.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';
import { headerValues } from '../../http/context.ts';
import { signedIn } from './session.ts';

/** The header in which a page names the organisation that it shows. */
export const PAGE_ORGANISATION = 'console-organisation';

const OTHER_ORGANISATION =
  'You have switched to another organisation, for example in another tab. Reload this page, then repeat your change.';

/**
 * Rejects a request from a page that shows an organisation other than the session's. Otherwise, if the session was
 * moved to another organisation in another tab, a payment or a new key could belong to the wrong customer.
 */
export function sameOrganisation(): ConsoleMiddleware {
  return {
    before: async function sameOrganisationBefore({ event, context: { requestContext } }) {
      const { organisationId } = signedIn.of(requestContext).cookie;
      const isOwn = headerValues(event, PAGE_ORGANISATION).every((shown) => shown === organisationId);
      if (!isOwn) throw new ServiceError('CHANGED_MEANWHILE', { message: OTHER_ORGANISATION });
    },
  };
}
