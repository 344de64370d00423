import { describe, expect, test } from '@jest/globals';
import { registryDeadlineMs, timeBudget } from '../../../shared/core/time-budget.ts';
import { holdOf, type Operation } from '../../../shared/ledger/operation.ts';
import { chargedRow, consumes, logEntryOf, voidRow } from '../../../shared/ledger/rows/charge.ts';
import { HOLD_LIFE_MS } from '../../../shared/ledger/rows/wallet.ts';

const REQUESTED_MS = Date.UTC(2026, 2, 1, 12);
const operation: Operation = {
  id: '01JOPERATION',
  wallet: { env: 'live', organisationId: 'ORG' },
  requestId: 'req_0123456789ab',
  service: 'nin-basic',
  cost: 3,
  keyLabel: 'till',
  numberTag: 'tag',
  requestedAtMs: REQUESTED_MS,
  consent: 'given in branch',
};
const found = { outcome: 'FOUND' as const, httpStatus: 200, provider: 'sandbox', latencyMs: 812 };
const hold = { shard: 2, holdId: '01JOPERATION.1' };

describe('a charge row', () => {
  test('names the hold that it charges', () => {
    const row = chargedRow(operation, found, hold, REQUESTED_MS + 900);
    expect(row).toMatchObject({ state: 'CHARGED', shard: 2, holdId: '01JOPERATION.1', cost: 3 });
    expect(row.decidedAt).toBe('2026-03-01T12:00:00.900Z');
  });

  test('contains no personal data: no number tag and no consent', () => {
    const rows = [chargedRow(operation, found, hold, REQUESTED_MS), voidRow(operation, found, REQUESTED_MS)];
    for (const row of rows) {
      expect(Object.values(row)).not.toContain('tag');
      expect(Object.values(row)).not.toContain('given in branch');
    }
  });

  test('in state VOID names no hold', () => {
    const row = voidRow(operation, { ...found, outcome: 'NOT_FOUND' }, REQUESTED_MS);
    expect(row).toMatchObject({ state: 'VOID', outcome: 'NOT_FOUND' });
    expect(row).not.toHaveProperty('holdId');
    expect(row).not.toHaveProperty('shard');
  });

  test.each([
    { name: 'its own hold', other: hold, isConsumed: true },
    {
      name: 'a late hold of another attempt',
      other: { shard: 2, holdId: '01JOPERATION.0' },
      isConsumed: false,
    },
    {
      name: 'a hold on another shard',
      other: { shard: 1, holdId: '01JOPERATION.1' },
      isConsumed: false,
    },
  ])('consumes $name: $isConsumed', ({ other, isConsumed }) => {
    expect(consumes(chargedRow(operation, found, hold, REQUESTED_MS), other)).toBe(isConsumed);
    expect(consumes(voidRow(operation, found, REQUESTED_MS), other)).toBe(false);
  });
});

describe('the log row of a charge row', () => {
  test.each([
    { state: 'CHARGED', row: chargedRow(operation, found, hold, REQUESTED_MS), credits: 3 },
    { state: 'VOID', row: voidRow(operation, found, REQUESTED_MS), credits: 0 },
  ])('says that $credits credits were charged if the state is $state', ({ row, credits }) => {
    const entry = logEntryOf(row, operation.wallet, operation.numberTag, { consent: 'given in branch' });
    expect(entry).toMatchObject({ creditsCharged: credits, operationId: '01JOPERATION', numberTag: 'tag' });
    expect(entry.requestedAt).toBe('2026-03-01T12:00:00.000Z');
    expect(entry.consent).toBe('given in branch');
  });
});

describe('the time budget of a request:', () => {
  test('the charge must be made before the response, and the response before the gateway timeout', () => {
    const { chargeByMs, respondByMs } = timeBudget(REQUESTED_MS);
    expect([chargeByMs, respondByMs].map((ms) => ms - REQUESTED_MS)).toEqual([25_500, 27_500]);
    expect(HOLD_LIFE_MS).toBe(40_000);
    expect(holdOf(operation).expiresAtMs).toBe(REQUESTED_MS + HOLD_LIFE_MS);
  });

  test.each([
    {
      name: 'a request that starts quickly waits for the whole registry timeout',
      nowMs: 100,
      timeoutMs: 20_000,
      deadlineMs: 20_100,
    },
    {
      name: 'a cold start shortens the wait for the registry',
      nowMs: 9_000,
      timeoutMs: 20_000,
      deadlineMs: 24_000,
    },
    { name: 'a shorter registry timeout applies', nowMs: 100, timeoutMs: 3_000, deadlineMs: 3_100 },
  ])('$name', ({ nowMs, timeoutMs, deadlineMs }) => {
    expect(registryDeadlineMs(0, nowMs, timeoutMs)).toBe(deadlineMs);
  });
});
