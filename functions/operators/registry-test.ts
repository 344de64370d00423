import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { testProvider } from '../../shared/operators/actions/registry-test.ts';

/** POST /registry/test: `admin registry test`. */
export const handler = operatorHandler('registry test', testProvider);
