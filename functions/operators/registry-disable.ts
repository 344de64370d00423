import { disableProvider } from '../../shared/operators/actions/registries.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /registry/disable: `admin registry disable`. */
export const handler = operatorHandler('registry disable', disableProvider);
