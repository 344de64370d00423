import { enableServices } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /service/enable: `admin service enable`. */
export const handler = operatorHandler('service enable', enableServices);
