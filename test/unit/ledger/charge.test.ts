import { describe, expect, test } from '@jest/globals';
import { holdOf, type Operation, registryDeadlineMs, timeBudget } from '../../../shared/ledger/operation.ts';
import { chargedRow, consumes, logEntryOf, voidRow } from '../../../shared/ledger/rows/charge.ts';
import { HOLD_LIFE_MS } from '../../../shared/ledger/rows/wallet.ts';

const BEGAN_MS = Date.UTC(2026, 2, 1, 12);
const operation: Operation = {
  id: '01JOPERATION',
  wallet: { env: 'live', organisationId: 'ORG' },
  requestId: 'req_0123456789ab',
  service: 'nin-basic',
  cost: 3,
  keyLabel: 'till',
  numberTag: 'tag',
  requestedAtMs: BEGAN_MS,
  consent: 'given in branch',
};
const found = { outcome: 'FOUND' as const, httpStatus: 200, provider: 'sandbox', latencyMs: 812 };
const placed = { shard: 2, holdId: '01JOPERATION.1' };

describe('a charge row', () => {
  test('names the hold that it consumes', () => {
    const row = chargedRow(operation, found, placed, BEGAN_MS + 900);
    expect(row).toMatchObject({ state: 'CHARGED', shard: 2, holdId: '01JOPERATION.1', cost: 3 });
    expect(row.decidedAt).toBe('2026-03-01T12:00:00.900Z');
  });

  test('holds nothing personal: no number tag, no consent', () => {
    const rows = [chargedRow(operation, found, placed, BEGAN_MS), voidRow(operation, found, BEGAN_MS)];
    for (const row of rows) {
      expect(Object.values(row)).not.toContain('tag');
      expect(Object.values(row)).not.toContain('given in branch');
    }
  });

  test('that is VOID names no hold', () => {
    const row = voidRow(operation, { ...found, outcome: 'NOT_FOUND' }, BEGAN_MS);
    expect(row).toMatchObject({ state: 'VOID', outcome: 'NOT_FOUND' });
    expect(row).not.toHaveProperty('holdId');
    expect(row).not.toHaveProperty('shard');
  });

  test.each([
    { story: 'its own hold', where: placed, isSpent: true },
    { story: 'a late hold of another send', where: { shard: 2, holdId: '01JOPERATION.0' }, isSpent: false },
    { story: 'a hold on another shard', where: { shard: 1, holdId: '01JOPERATION.1' }, isSpent: false },
  ])('consumes $story: $isSpent', ({ where, isSpent }) => {
    expect(consumes(chargedRow(operation, found, placed, BEGAN_MS), where)).toBe(isSpent);
    expect(consumes(voidRow(operation, found, BEGAN_MS), where)).toBe(false);
  });
});

describe('the log row of a charge row', () => {
  test.each([
    { state: 'CHARGED', row: chargedRow(operation, found, placed, BEGAN_MS), credits: 3 },
    { state: 'VOID', row: voidRow(operation, found, BEGAN_MS), credits: 0 },
  ])('$state tells $credits credits', ({ row, credits }) => {
    const entry = logEntryOf(row, operation.wallet, operation.numberTag, { consent: 'given in branch' });
    expect(entry).toMatchObject({ creditsCharged: credits, operationId: '01JOPERATION', numberTag: 'tag' });
    expect(entry.requestedAt).toBe('2026-03-01T12:00:00.000Z');
    expect(entry.consent).toBe('given in branch');
  });
});

describe('the time of a request', () => {
  test('runs out for the charge before the answer, and for the answer before the gateway', () => {
    const { chargeByMs, respondByMs, holdExpiresAtMs } = timeBudget(BEGAN_MS);
    expect([chargeByMs, respondByMs, holdExpiresAtMs].map((ms) => ms - BEGAN_MS)).toEqual([
      25_500, 27_500, 40_000,
    ]);
    expect(holdOf(operation).expiresAtMs).toBe(BEGAN_MS + HOLD_LIFE_MS);
  });

  test.each([
    { story: 'a quick start waits its whole timeout', nowMs: 100, timeoutMs: 20_000, deadlineMs: 20_100 },
    { story: 'a cold start eats the wait', nowMs: 9_000, timeoutMs: 20_000, deadlineMs: 24_000 },
    { story: 'a shorter setting counts', nowMs: 100, timeoutMs: 3_000, deadlineMs: 3_100 },
  ])('$story', ({ nowMs, timeoutMs, deadlineMs }) => {
    expect(registryDeadlineMs(0, nowMs, timeoutMs)).toBe(deadlineMs);
  });
});
