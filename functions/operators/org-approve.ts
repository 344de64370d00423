import { approveOrganisation } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /org/approve: `admin org approve`. */
export const handler = operatorHandler('org approve', approveOrganisation);
