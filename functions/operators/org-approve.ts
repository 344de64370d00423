import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { approveOrganisation } from '../../shared/operators/actions/organisations.ts';

/** POST /org/approve: `admin org approve`. */
export const handler = operatorHandler('org approve', approveOrganisation);
