import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { createOrganisation } from '../../shared/operators/actions/organisations.ts';

/** POST /org/create: `admin org create`. */
export const handler = operatorHandler('org create', createOrganisation);
