import { fileURLToPath } from 'node:url';
import type { Proof } from '../support/histories/prove.ts';

/** The random histories of events, deliveries, killed functions and changes to endpoints. */
export const WEBHOOKS: Proof = {
  name: 'webhooks',
  worker: fileURLToPath(new URL('worker.ts', import.meta.url)),
  mustReach: [
    'started',
    'DELIVERED',
    'FAILED HTTP_STATUS',
    'FAILED TIMEOUT',
    'FAILED CONNECTION_LOST',
    'FAILED REDIRECT',
    'FAILED GONE',
    'CANCELLED ENDPOINT_DISABLED',
    'CANCELLED ENDPOINT_DELETED',
    'rotate',
    'move',
    'test',
    'resent',
    'replayed',
  ],
};
