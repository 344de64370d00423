import { fileURLToPath } from 'node:url';
import type { Proof } from '../support/histories/prove.ts';

/** The random histories of payments, refunds and closed months. */
export const PAYMENTS: Proof = {
  name: 'payments',
  worker: fileURLToPath(new URL('worker.ts', import.meta.url)),
  mustReach: [
    'order opened',
    'paid',
    'paid at another rate of VAT',
    'paid at an outdated price',
    'paid late',
    'swept credited',
    'refunded',
    'swept refundsDone',
    'swept expiredLots',
    'month closed',
    'reopen',
    'transfer',
    'transfer quoted again',
    'charge VERIFIED',
    'credits of a reversed payment taken back',
    'reversal booked',
    'saved card charged',
    'saved card declined',
  ],
};
