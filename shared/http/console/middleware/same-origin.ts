import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../../core/errors.ts';
import { headerValues } from '../../context.ts';
import type { ConsoleMiddleware } from '../context.ts';
import { ownOrigin } from '../own-origin.ts';

/**
 * Requires requests to come from a page of the console, as shown by `Sec-Fetch-Site`, which pages cannot set. If the
 * browser does not send it, a write needs the console's own `Origin`. A read changes nothing, so it is rejected only if
 * `Sec-Fetch-Site` names another origin. Users may open its address directly (`none`). Public reads
 * accept all sites: the identity provider, which is another site, redirects the browser to one of them.
 */
export function sameOrigin(): ConsoleMiddleware {
  return {
    name: 'sameOrigin',
    async before({ event, context: { requestContext } }) {
      const { method, roles } = requestContext.route;
      if (roles === 'public' && method === 'GET') return;
      if (method === 'GET' ? !isOwnRead(event) : !isOwnWrite(event))
        throw new ServiceError('CROSS_SITE_REQUEST');
    },
  };
}

function isOwnRead(event: APIGatewayProxyEvent): boolean {
  return headerValues(event, 'sec-fetch-site').every((site) => site === 'same-origin' || site === 'none');
}

/** At least one is present, and neither names another origin. */
function isOwnWrite(event: APIGatewayProxyEvent): boolean {
  const sites = headerValues(event, 'sec-fetch-site');
  const origins = headerValues(event, 'origin');
  const own = ownOrigin(event);
  return (
    sites.length + origins.length > 0 &&
    sites.every((site) => site === 'same-origin') &&
    origins.every((origin) => origin === own)
  );
}
