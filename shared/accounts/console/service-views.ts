import type { ServiceView } from '../../http/console/views.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../verifications/services.ts';
import { viewSchema } from '../../verifications/views.ts';
import { isSubscribed, type Organisation, servicePrice } from '../organisation.ts';

/** Returns the service with this name. Undefined if there is none. */
export function serviceNamed(name: string): ServiceName | undefined {
  return SERVICE_NAMES.find((known) => known === name);
}

/** Returns a service as members of the organisation see it. A slip is a PDF, so its service returns no fields. */
export function serviceView(
  organisation: Pick<Organisation, 'services' | 'prices'>,
  name: ServiceName,
): ServiceView {
  const { idType, price } = SERVICES[name];
  return {
    name,
    id_type: idType,
    is_enabled: isSubscribed(organisation.services, name, 'live'),
    price_credits: servicePrice(organisation, name) ?? price,
    returns: name === 'nin-slip' ? [] : Object.keys(viewSchema(name).entries),
  };
}
