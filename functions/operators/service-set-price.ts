import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setServicePrice } from '../../shared/operators/actions/organisations.ts';

/** POST /service/set-price: `admin service set-price`. */
export const handler = operatorHandler('service set-price', setServicePrice);
