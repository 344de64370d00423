import { enableProvider } from '../../shared/operators/actions/registries.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /registry/enable: `admin registry enable`. */
export const handler = operatorHandler('registry enable', enableProvider);
