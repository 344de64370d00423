import { ServiceError } from '../../core/errors.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';
import { headerValues } from '../../http/context.ts';
import { sessionPage } from '../session.ts';
import { PAGE, signedIn } from './session.ts';

const OTHER_PAGE =
  'The session now belongs to another person or organisation, for example because you switched in another tab. Reload this page.';

/**
 * Rejects a request from a page that shows another organisation or person than those of the session. Otherwise, if the
 * session was replaced in another tab, a page could show data under the wrong name, and a payment or a new key could
 * belong to the wrong customer. Routes that need no organisation compare the person only, so that every page can sign
 * out and switch.
 */
export function samePage(compared: 'organisation' | 'person'): ConsoleMiddleware {
  return {
    name: 'samePage',
    async before({ event, context: { requestContext } }) {
      const { cookie } = signedIn.of(requestContext);
      const isOwn = headerValues(event, PAGE.toLowerCase()).every((shown) =>
        compared === 'organisation' ? shown === sessionPage(cookie) : shown.endsWith(`.${cookie.personId}`),
      );
      if (!isOwn) throw new ServiceError('CHANGED_MEANWHILE', { message: OTHER_PAGE });
    },
  };
}
