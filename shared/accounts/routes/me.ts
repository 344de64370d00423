import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { accessTo } from '../../verifications/key-scopes.ts';
import { SERVICE_NAMES, SERVICES } from '../../verifications/services.ts';
import { ALL_SCOPES, hasScope } from '../key-limits.ts';
import { caller } from '../middleware/caller.ts';
import { isSubscribed, servicePrice } from '../organisation.ts';

/** GET /v1/me: what the key may do. Any key may ask, so it shows no data of the wallet. */
export function showMe(): Run {
  return async (requestContext, event) => {
    readQuery(event, noQuery);
    const { env, organisation, key } = caller.of(requestContext);
    return {
      kind: 'information',
      code: 'ME',
      message: 'The API key, and what it may do.',
      data: {
        environment: env,
        organisation: { id: organisation.id, name: organisation.name, status: organisation.status },
        key: { label: key.label, last_four: key.lastFour, expires_at: key.notAfter ?? null },
        scopes: key.scopes ?? ALL_SCOPES.filter((scope) => hasScope(undefined, scope)),
        limits: {
          requests_per_second: organisation.rateLimit.perSecond,
          burst: organisation.rateLimit.burst,
        },
        services: SERVICE_NAMES.map((service) => ({
          service,
          is_enabled: isSubscribed(organisation.services, service, env),
          access: accessTo(service, key.scopes),
          credits: servicePrice(organisation, service) ?? SERVICES[service].price,
        })),
      },
    };
  };
}
