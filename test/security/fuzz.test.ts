import './environment.ts';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runFuzz } from '../rigs/fuzz/run-fuzz.ts';
import { captureLines } from './captured.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll } from './routes-in-memory.ts';
import { startSecretDouble } from './secret-double.ts';

/** `npm run fuzz -- --requests 1000000` does the same at length. */

const REQUESTS = 20_000;

let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble({ current: 'a slip key of tests' });
});
afterAll(() => secrets.close());

const lines = captureLines();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

test(`${REQUESTS} mutated requests: no crash, no 500, no charge, nothing told or logged`, async () => {
  const seed = Date.now() % 1_000_000_000;
  const { faults, requests, codes } = await runFuzz({ requests: REQUESTS, seed, lines });

  expect(faults).toEqual([]);
  expect(unhandled).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // The mutations reach past the first checks, and every check is met.
  for (const code of ['INVALID_SCHEMA', 'INVALID_API_KEY', 'NIN_NOT_FOUND', 'RATE_LIMITED', 'TIMEOUT'])
    expect(codes.get(code) ?? 0).toBeGreaterThan(20);
}, 240_000);

/** A service with one part of its ledger or database broken. */
function broken(how: (service: MemoryService) => void): () => MemoryService {
  return () => {
    const service = memoryService();
    how(service);
    return service;
  };
}

test.each([
  [
    'a hold that is never returned',
    /a wallet has/,
    broken(({ deps: { ledger } }) => Object.assign(ledger.wallets, { releaseHold: async () => true })),
  ],
  [
    'a database that fails in words about a person',
    /status 500/,
    broken((service) => {
      service.onCall = ({ input }) => {
        if ('Item' in input && JSON.stringify(input).includes('fingerprint'))
          throw new Error('for 12345678901');
      };
    }),
  ],
  [
    'a registry that finds everybody',
    /a charge is published|charges, one was due/,
    broken((service) =>
      Object.defineProperty(service.registry, 'answer', { get: () => findsAll, set: () => {} }),
    ),
  ],
])(
  'would notice %s',
  async (_, wanted, makeService) => {
    const { faults } = await runFuzz({ requests: 300, seed: 1, lines, makeService });
    expect(faults.join('\n')).toMatch(wanted);
  },
  60_000,
);
