import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { IDEMPOTENCY_KEY } from '../../../shared/http/idempotency-key.ts';
import {
  IDEMPOTENCY_LIFE_SECONDS,
  type Idempotency,
  isExpired,
  isRunning,
  waitSeconds,
} from '../../../shared/ledger/rows/idempotency.ts';

const STARTED_MS = Date.UTC(2026, 2, 1, 12);
const row: Idempotency = {
  fingerprint: 'f',
  operationId: '01JOPERATION',
  requestId: 'req_0123456789ab',
  startedAtMs: STARTED_MS,
  expiresAt: STARTED_MS / 1000 + IDEMPOTENCY_LIFE_SECONDS,
};

describe('an attempt without a decision', () => {
  test.each([
    { afterMs: 0, mayRun: true, wait: 5 },
    { afterMs: 34_000, mayRun: true, wait: 5 },
    { afterMs: 37_500, mayRun: true, wait: 3 },
    { afterMs: 39_999, mayRun: true, wait: 1 },
    { afterMs: 40_000, mayRun: false, wait: 1 },
    { afterMs: 90_000, mayRun: false, wait: 1 },
  ])(
    'may still run after $afterMs ms: $mayRun, and a client should retry after $wait s',
    ({ afterMs, mayRun, wait }) => {
      expect(isRunning(row, STARTED_MS + afterMs)).toBe(mayRun);
      expect(waitSeconds(row, STARTED_MS + afterMs)).toBe(wait);
    },
  );
});

test.each([
  { days: 0, isOver: false },
  { days: 29.99, isOver: false },
  { days: 30, isOver: true },
  { days: 31, isOver: true },
])('a key is expired after $days days: $isOver, even if its row still exists', ({ days, isOver }) => {
  expect(isExpired(row, STARTED_MS + days * DAY_MS)).toBe(isOver);
});

describe('an Idempotency-Key must have 8 to 255 printable ASCII characters:', () => {
  test.each(['a'.repeat(8), 'order 4711/2: "NIN" ~', 'x'.repeat(255)])('%s is valid', (key) => {
    expect(IDEMPOTENCY_KEY.test(key)).toBe(true);
  });
  test.each([
    '',
    'a'.repeat(7),
    'x'.repeat(256),
    'tab\tin the key',
    'ünïcödé-0123456789',
    `${'a'.repeat(16)}\n`,
  ])('%j is not valid', (key) => {
    expect(IDEMPOTENCY_KEY.test(key)).toBe(false);
  });
});
