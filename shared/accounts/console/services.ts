import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../verifications/services.ts';
import { viewSchema } from '../../verifications/views.ts';
import { isSubscribed, type Organisation, servicePrice } from '../organisation.ts';
import { type OrganisationTable, organisationTable } from '../organisation-table.ts';
import type { changeServiceBody } from './bodies.ts';
import { switchService } from './switch-service.ts';
import type { ServicesView, ServiceView } from './views.ts';

type Organisations = Pick<OrganisationTable, 'getOrganisation' | 'updateOrganisation'>;
/** GET /services: the services, and whether each is enabled. The organisation was read with the session. */
export function listServices(): ConsoleRun<ConsoleRequest, NoInput, undefined> {
  return async ({ organisation }) => {
    const services = SERVICE_NAMES.map((name) => serviceView(organisation, name));
    return { data: { services } satisfies ServicesView };
  };
}

const realTable = (recorder: Recorder): Organisations =>
  organisationTable(database(), setting('API_KEYS_TABLE'), recorder);

/** PUT /services/{service}: enables or disables a service for live keys. */
export function changeService(
  tableOf: (recorder: Recorder) => Organisations = realTable,
): ConsoleRun<ConsoleRequest, typeof changeServiceBody, undefined> {
  return async ({ organisation, recorder, event }, { is_enabled: isEnabled }) => {
    const name = serviceNamed(event.pathParameters?.['service'] ?? '');
    if (!name) throw new ServiceError('RESOURCE_NOT_FOUND');
    const changed = await switchService(organisation, name, isEnabled, tableOf(recorder));
    return { data: serviceView(changed, name) satisfies ServiceView };
  };
}

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
