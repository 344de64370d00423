import { suspendOrganisation } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /org/suspend: `admin org suspend`. */
export const handler = operatorHandler('org suspend', suspendOrganisation);
