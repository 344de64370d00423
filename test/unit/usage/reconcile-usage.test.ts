import { beforeAll, expect, test } from '@jest/globals';
import { usageSource } from '../../../shared/usage/usage-source.ts';
import { usageTable } from '../../../shared/usage/usage-table.ts';
import { inventUsage, type UsageMonth } from '../../finance/usage-month.ts';
import { reconcileExport } from '../../reconcile/exported-tables.ts';
import { memoryClient, WALLET } from '../payments/memory-payments.ts';

/** Tests that the reconciliation compares usage with the statement, by wallet and month. */

let month: UsageMonth;
beforeAll(async () => {
  month = await inventUsage({ seed: 5, requests: 60, everyHours: 12 });
});

type Table = ReturnType<typeof usageTable>;

/** Returns the differences that the reconciliation finds after a change to the rows of usage. */
async function differences(change: (table: Table) => Promise<unknown> = async () => undefined) {
  const table = usageTable(month.client, 'Console');
  const changed: Pick<Table, 'readMonth' | 'readState'> = { ...table };
  await change(changed as Table);
  const tables = {
    apiKeys: month.rows['ApiKeys'] ?? [],
    wallets: month.rows['Wallets'] ?? [],
    logs: month.rows['VerificationLogs'] ?? [],
  };
  const usage = usageSource(changed);
  return (await reconcileExport(tables, month.nowMs, () => ({ usage }))).differences;
}

test('usage that agrees with the statement causes no difference', async () => {
  expect(await differences()).toEqual([]);
});

test('usage whose credits differ from the statement is reported by wallet and month', async () => {
  const found = await differences(async (table) => {
    const { readMonth } = table;
    Object.assign(table, {
      readMonth: async (...of: Parameters<Table['readMonth']>) => {
        const rows = await readMonth(...of);
        const [first, ...others] = rows;
        const isMeant = of[0].env === 'live' && of[0].organisationId === WALLET.organisationId;
        if (!first || !isMeant || of[1] !== '2026-10') return rows;
        return [{ ...first, credits: first.credits + 1 }, ...others];
      },
    });
  });
  expect(found).toEqual([
    {
      kind: 'usage-differs',
      env: 'live',
      organisation: WALLET.organisationId,
      day: '2026-10-01',
      expected: expect.any(Number),
      found: expect.any(Number),
    },
  ]);
  expect(Number(found[0]?.found) - Number(found[0]?.expected)).toBe(1);
});

test('a wallet that was never counted is not compared', async () => {
  const usage = usageSource(usageTable(memoryClient().client, 'Console'));
  expect(await usage.readUsage(WALLET, month.nowMs)).toBeUndefined();
});
