import { testProvider } from '../../shared/operators/actions/registry-test.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /registry/test: `admin registry test`. */
export const handler = operatorHandler('registry test', testProvider);
