import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { createCreditNote } from '../../shared/operators/actions/orders.ts';

/** POST /credit-note/create: `admin credit-note create`. */
export const handler = operatorHandler('credit-note create', createCreditNote);
