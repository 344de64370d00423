import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { suspendOrganisation } from '../../shared/operators/actions/organisations.ts';

/** POST /org/suspend: `admin org suspend`. */
export const handler = operatorHandler('org suspend', suspendOrganisation);
