import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { disableServices } from '../../shared/operators/actions/organisations.ts';

/** POST /service/disable: `admin service disable`. */
export const handler = operatorHandler('service disable', disableServices);
