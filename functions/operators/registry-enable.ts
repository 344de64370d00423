import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { enableProvider } from '../../shared/operators/actions/registries.ts';

/** POST /registry/enable: `admin registry enable`. */
export const handler = operatorHandler('registry enable', enableProvider);
