import { runGate } from '../support/histories/gate.ts';
import { PAYMENT_MUTANTS } from './mutants.ts';
import { PAYMENTS } from './proof.ts';

await runGate(PAYMENT_MUTANTS, PAYMENTS.worker);
