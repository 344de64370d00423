import { beforeAll, expect, test } from '@jest/globals';
import { compareUsage, usageSum } from '../../../shared/ledger/reconcile/usage-months.ts';
import type { UsageRow } from '../../../shared/usage/rows.ts';
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

/** Changes the first row with credits of one wallet's month. */
function withChange(change: (row: UsageRow) => UsageRow) {
  return async (table: Table) => {
    const { readMonth } = table;
    Object.assign(table, {
      readMonth: async (...of: Parameters<Table['readMonth']>) => {
        const rows = await readMonth(...of);
        const first = rows.find(({ credits }) => credits > 0);
        const isMeant = of[0].env === 'live' && of[0].organisationId === WALLET.organisationId;
        if (!isMeant || of[1] !== '2026-10') return rows;
        return rows.map((row) => (row === first ? change(row) : row));
      },
    });
  };
}

test('usage whose credits differ from the statement is reported by wallet and month', async () => {
  const found = await differences(withChange((row) => ({ ...row, credits: row.credits + 1 })));
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

test.each<[string, Partial<UsageRow>]>([
  ['day', { day: '2026-10-31' }],
  ['service', { service: 'another' }],
  ['key', { keyLabel: 'another' }],
])('usage of another %s is reported, although its credits agree', async (_, other) => {
  const found = await differences(withChange((row) => ({ ...row, ...other })));
  expect(found).toMatchObject([{ kind: 'usage-differs', day: '2026-10-01' }]);
  expect(found[0]?.expected).toMatch(/^\d+, hash [0-9a-f]+$/);
});

test('usage is compared by its credits alone if a day was sealed by an earlier version', () => {
  const row = { day: '2026-10-02', service: 'nin-basic', keyLabel: 'a', credits: 2 };
  const usage = { from: '2026-10-01', before: '2026-11-01', rows: [{ ...row, keyLabel: 'b' }] };
  const requested = { [row.day]: 1 };
  const usageSums = { [row.day]: usageSum('0', { ...row, credits: 1 }) };
  const both = (...of: readonly object[]) =>
    compareUsage(
      WALLET,
      usage,
      of.map((one) => ({ requested, ...one })),
    );
  expect(both({ usageSums }, { usageSums })).toHaveLength(1);
  expect(both({ usageSums }, {})).toEqual([]);
});

test('a wallet that was never counted is not compared', async () => {
  const usage = usageSource(usageTable(memoryClient().client, 'Console'));
  expect(await usage.readUsage(WALLET, month.nowMs)).toBeUndefined();
});
