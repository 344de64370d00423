import { createCreditNote } from '../../shared/operators/actions/orders.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /credit-note/create: `admin credit-note create`. */
export const handler = operatorHandler('credit-note create', createCreditNote);
