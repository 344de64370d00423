import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  accountingMonthOf,
  monthBefore,
  monthEndMs,
  monthStartMs,
} from '../../shared/core/accounting-month.ts';
import { DAY_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { creditKey } from '../../shared/core/keys.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { operator } from '../../shared/operators/operator.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** A closed month in DynamoDB: nothing more is booked into it, and the reconciliation reports rows written by hand. */

/** The month before last: it ended at least four weeks ago. */
const MONTH = monthBefore(monthBefore(accountingMonthOf(Date.now())));

let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
});
afterAll(() => deployment.close());

/** Returns the operations of an operator whose clock shows this day of the month, counted from 0. */
const onDay = (day: number) =>
  operator(deployment, {
    clock: { ...REAL_CLOCK, nowMs: () => monthStartMs(MONTH) + day * DAY_MS },
  });
const credit = (reference: string, amount: number) => ({
  reference,
  amount,
  actor: 'ada',
  reason: 'a reason',
});
const walletOf = () => ({ env: 'live', organisationId: id }) as const;

describe('a month that is closed with the CLI', () => {
  beforeAll(async () => {
    ({ id } = await onDay(1).createOrganisation('Harmattan Credit'));
    await onDay(2).topUp(walletOf(), credit('INV-1', 10));
    await onDay(3).topUp(walletOf(), credit('INV-2', 5));
    await onDay(4).correct(walletOf(), credit('T-1', -7));
    const { code, stdout, stderr } = await deployment.admin('--yes', 'month', 'close', MONTH, id);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringContaining('closed'),
      stderr: '',
    });
  });

  test('has its figures, and each lot has its remaining credits', async () => {
    const { client, tables } = deployment;
    const closing = await closingTable(client, tables.payments).getClosing(walletOf(), MONTH);
    expect(closing).toMatchObject({
      state: 'CLOSED',
      figures: { credits: { toppedUp: 15, corrected: -7, closing: 8 }, lines: 3 },
    });
    const lots = await lotTable(client, tables.payments).listLots(walletOf());
    // The correction took from the newest lot first.
    expect(lots.map(({ remaining }) => remaining)).toEqual([8, 0]);
  });

  test('carries its balance forward to the next statement', async () => {
    const from = new Date(monthEndMs(MONTH)).toISOString();
    const statement = await deployment.json('wallet', 'statement', id, '--from', from);
    expect(statement).toMatchObject({ openingBalance: 8, lines: [], closingBalance: 8 });
  });

  test('rejects credits from an operator whose clock shows a day in the month', async () => {
    await expect(onDay(5).topUp(walletOf(), credit('INV-3', 1))).rejects.toThrow(
      `The month ${MONTH} of this wallet is closed`,
    );
    expect(await deployment.operator.findCredit(walletOf(), 'INV-3')).toBeUndefined();
  });

  test('agrees with its rows until someone adds a credit by hand, which reconcile reports', async () => {
    expect(await deployment.admin('reconcile', '--org', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('They agree.'),
    });
    const createdAt = new Date(monthStartMs(MONTH) + 6 * DAY_MS).toISOString();
    const row = { ...credit('BY-HAND', 100), kind: 'TOP_UP', shard: 0, createdAt };
    const keys = {
      ...creditKey(walletOf(), 'BY-HAND'),
      ...statementKeys(walletOf(), 0, createdAt, 'BY-HAND'),
    };
    await deployment.client.send(
      new PutCommand({ TableName: deployment.tables.wallets, Item: { ...keys, ...row } }),
    );
    jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue(undefined);
    const { code, stdout } = await deployment.admin('reconcile', '--org', id);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      RegExp(`${MONTH}-01 +live +${id} +BY-HAND +late-credit +none +a credit of ${MONTH}`),
    );
    expect(stdout).toContain('late-credit: no credit is booked into a month after the month was closed');
  });
});
