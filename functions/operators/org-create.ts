import { createOrganisation } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /org/create: `admin org create`. */
export const handler = operatorHandler('org create', createOrganisation);
