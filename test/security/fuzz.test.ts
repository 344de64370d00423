import './environment.ts';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { captureLines } from './captured.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { startSecretStandIn } from './secret-stand-in.ts';

/** `npm run fuzz -- --requests 1000000` does the same at length. */

const REQUESTS = 20_000;

let secrets: Awaited<ReturnType<typeof startSecretStandIn>>;
beforeAll(async () => {
  secrets = await startSecretStandIn({ current: 'a slip key of tests' });
});
afterAll(() => secrets.close());

test(`${REQUESTS} mutated requests: no crash, no 500, no charge, nothing told or logged`, async () => {
  const seed = Date.now() % 1_000_000_000;
  const { faults, requests, codes } = await runFuzz({ requests: REQUESTS, seed, lines: captureLines() });

  expect(faults).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // The mutations reach past the first checks, and every check is met.
  for (const code of ['INVALID_SCHEMA', 'INVALID_API_KEY', 'NIN_NOT_FOUND', 'RATE_LIMITED', 'TIMEOUT'])
    expect(codes.get(code) ?? 0).toBeGreaterThan(20);
}, 240_000);
