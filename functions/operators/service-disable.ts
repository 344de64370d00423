import { disableServices } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /service/disable: `admin service disable`. */
export const handler = operatorHandler('service disable', disableServices);
