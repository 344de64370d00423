import { runGate } from '../support/histories/gate.ts';
import { WEBHOOK_MUTANTS } from './mutants.ts';
import { WEBHOOKS } from './proof.ts';

await runGate(WEBHOOK_MUTANTS, WEBHOOKS.worker);
