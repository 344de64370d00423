import './environment.ts';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runFuzz } from '../rigs/fuzz/run-fuzz.ts';
import { isComplete, sampleSeed } from '../support/sample.ts';
import { captureLines } from './captured.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll } from './routes-in-memory.ts';
import { startSecretDouble } from './secret-double.ts';

/** A short run of the fuzzer. `npm run fuzz` runs it longer. */

const REQUESTS = isComplete ? 10_000 : 6_000;

let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble({ current: 'a slip key of tests' });
});
afterAll(() => secrets.close());

const lines = captureLines();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

test(`${REQUESTS} mutated requests cause no crash, no 500, no charge and no leak`, async () => {
  const { faults, requests, codes } = await runFuzz({ requests: REQUESTS, seed: sampleSeed, lines });

  expect(faults).toEqual([]);
  expect(unhandled).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // Mutated requests reach the schema, the check of the API key, the registry and the rate limiter.
  for (const code of ['INVALID_SCHEMA', 'INVALID_API_KEY', 'NIN_NOT_FOUND', 'RATE_LIMITED', 'TIMEOUT'])
    expect(codes.get(code) ?? 0).toBeGreaterThan(20);
}, 1_200_000);

function broken(how: (service: MemoryService) => void): () => MemoryService {
  return () => {
    const service = memoryService();
    how(service);
    return service;
  };
}

test.each([
  [
    'a hold that is never released',
    /a wallet has/,
    broken(({ deps: { ledger } }) => Object.assign(ledger.wallets, { releaseHold: async () => true })),
  ],
  [
    'a database error with identity data in its message',
    /status 500/,
    broken((service) => {
      service.onCall = ({ input }) => {
        if ('Item' in input && JSON.stringify(input).includes('fingerprint'))
          throw new Error('for 12345678901');
      };
    }),
  ],
  [
    'a registry that finds every number',
    /X-Credits-Charged is not 0|charges instead of one/,
    broken((service) =>
      Object.defineProperty(service.registry, 'lookUp', { get: () => findsAll, set: () => {} }),
    ),
  ],
])(
  'the fuzzer detects %s',
  async (_, expected, makeService) => {
    const { faults } = await runFuzz({ requests: 300, seed: 1, lines, makeService });
    expect(faults.join('\n')).toMatch(expected);
  },
  600_000,
);
