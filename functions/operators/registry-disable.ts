import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { disableProvider } from '../../shared/operators/actions/registries.ts';

/** POST /registry/disable: `admin registry disable`. */
export const handler = operatorHandler('registry disable', disableProvider);
