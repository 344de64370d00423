import { setServicePrice } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /service/set-price: `admin service set-price`. */
export const handler = operatorHandler('service set-price', setServicePrice);
