import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { enableServices } from '../../shared/operators/actions/organisations.ts';

/** POST /service/enable: `admin service enable`. */
export const handler = operatorHandler('service enable', enableServices);
