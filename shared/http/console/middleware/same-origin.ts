import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../../core/errors.ts';
import { headerValues } from '../../context.ts';
import type { ConsoleMiddleware } from '../context.ts';
import { ownOrigin } from '../own-origin.ts';

/**
 * The request comes from a page of the console. Browsers say so in `Sec-Fetch-Site`, which pages cannot set. A write
 * needs that proof, or the console's own origin if the browser does not send the header. A read changes nothing, and
 * is rejected only if the browser says that it comes from elsewhere. The user may open its address (`none`). The
 * identity provider, another site, sends the browser to the public routes.
 */
export function sameOrigin(): ConsoleMiddleware {
  return {
    before: async function sameOriginBefore({ event, context: { consoleContext } }) {
      const { method, roles } = consoleContext.route;
      if (roles === 'public') return;
      if (method === 'GET' ? !isOwnRead(event) : !isOwnWrite(event))
        throw new ServiceError('CROSS_SITE_REQUEST');
    },
  };
}

function isOwnRead(event: APIGatewayProxyEvent): boolean {
  return headerValues(event, 'sec-fetch-site').every((site) => site === 'same-origin' || site === 'none');
}

/** At least one of the two headers is present, and neither says otherwise. */
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
