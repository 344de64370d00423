import { setTimeout } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountingMonthOf } from '../../shared/core/accounting-month.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { closingKey } from '../../shared/core/keys.ts';
import { withShiftedClock } from '../support/shifted-clock.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** A booking gets its time from AWS, whatever the clock of the operator's machine shows (contract P3). */

let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
});
beforeEach(async () => {
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(() => deployment.close());

/** Runs a command on a machine whose clock is wrong. */
const adminAt = (shiftMs: number, ...args: string[]) =>
  withShiftedClock(shiftMs, () => deployment.admin('--json', '--yes', ...args));
const topUpAt = (shiftMs: number, ...options: string[]) =>
  adminAt(shiftMs, 'wallet', 'top-up', '--promotional', id, '10', '--reference', `INV-${id}`, ...options);
const balance = () => deployment.operator.balance({ env: 'live', organisationId: id });

describe('a booking', () => {
  test.each([
    ['30 minutes slow', -30 * MINUTE_MS],
    ['120 minutes fast', 120 * MINUTE_MS],
    ['3 minutes slow', -3 * MINUTE_MS],
  ])('from a machine whose clock is %s is rejected, with an error that says so', async (error, shiftMs) => {
    const { code, stdout, stderr } = await topUpAt(shiftMs);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      RegExp(
        `^The clock of this machine is ${error}: it shows \\S+Z, and AWS's clock shows \\S+Z\\. Correct it, and run the command again\\. Nothing was changed\\.\n$`,
      ),
    );
    expect(await balance()).toMatchObject({ credited: 0 });
    expect(await deployment.operator.auditTrail({ organisationId: id })).toEqual([]);
  });

  test.each([
    ['slow', -1.5 * MINUTE_MS],
    ['fast', 1.5 * MINUTE_MS],
  ])('from a machine whose clock is 90 s %s gets its time from AWS', async (_, shiftMs) => {
    const { code, stdout } = await topUpAt(shiftMs);

    expect(code).toBe(0);
    const { createdAt } = JSON.parse(stdout) as { createdAt: string };
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(MINUTE_MS);
    const [entry] = await deployment.operator.auditTrail({ organisationId: id });
    expect(Math.abs(Date.parse(entry?.at ?? '') - Date.now())).toBeLessThan(MINUTE_MS);
  });

  test('is on a statement that is requested from a machine whose clock is 90 s slow', async () => {
    await topUpAt(0);
    // AWS's time is known only to the second, so on a machine with a wrong clock a statement may lack the last second.
    await setTimeout(1_000);
    const { stdout } = await adminAt(-1.5 * MINUTE_MS, 'wallet', 'statement', id, '--from', '2020-01-01');

    expect(JSON.parse(stdout)).toMatchObject({ closingBalance: 10, lines: [{ reference: `INV-${id}` }] });
  });

  test('keeps the time at which it takes effect, but its position on the statement depends on the time of the booking', async () => {
    const { stdout } = await topUpAt(0, '--effective-at', '2026-01-31');
    const { createdAt, effectiveAt } = JSON.parse(stdout) as Record<string, string>;
    expect(effectiveAt).toBe('2026-01-31T00:00:00.000Z');

    const listed = await adminAt(0, 'wallet', 'statement', id, '--from', '2026-02-01');
    expect(JSON.parse(listed.stdout).lines).toEqual([
      expect.objectContaining({ time: createdAt, effective_at: effectiveAt }),
    ]);
  });

  test('cannot take effect in the future', async () => {
    const { code, stderr } = await topUpAt(0, '--effective-at', '2100-01-01');
    expect([code, stderr]).toEqual([
      2,
      'The effective time must not be in the future. Nothing was changed.\n',
    ]);
    expect(await balance()).toMatchObject({ credited: 0 });
  });
});

describe('a correction', () => {
  /** Stores the row of a closed month and returns the month. No command can close the current month. */
  async function closeByHand(shiftMs: number): Promise<string> {
    const month = accountingMonthOf(Date.now() + shiftMs);
    const row = { month, state: 'CLOSED', startedAt: '', startedBy: 'ada', version: 1 };
    const Item = { ...closingKey({ env: 'test', organisationId: id }, month), ...row };
    await deployment.client.send(new PutCommand({ TableName: deployment.tables.payments, Item }));
    return month;
  }

  const correctAt = (shiftMs: number) =>
    adminAt(
      shiftMs,
      ...['wallet', 'correct', id, '3', '--env', 'test', '--reference', 'T-1', '--reason', 'a gift'],
    );
  const credited = async () =>
    (await deployment.operator.balance({ env: 'test', organisationId: id })).credited;

  test.each([
    ['31 days slow', -31 * DAY_MS],
    ['31 days fast', 31 * DAY_MS],
    ['right', 0],
  ])('is rejected if the month is closed and the clock of the machine is %s', async (_, shiftMs) => {
    const month = await closeByHand(0);
    const { code, stdout, stderr } = await correctAt(shiftMs);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      shiftMs === 0 ? `The month ${month} of this wallet is closed` : 'The clock of this machine is',
    );
    expect(stderr).toContain('Nothing was changed.');
    expect(await credited()).toBe(0);
  });

  test('is possible if only the previous month is closed, even from a machine whose clock is 90 s slow', async () => {
    await closeByHand(-31 * DAY_MS);
    expect(await correctAt(-1.5 * MINUTE_MS)).toMatchObject({ code: 0 });
    expect(await credited()).toBe(3);
  });
});
