import { expect, test } from '@jest/globals';
import { createDemoTraffic, demoTrafficStartMs } from '../../infra/local/demo-traffic.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { DAILY_LOOK_UPS } from '../../shared/accounts/key-usage.ts';
import { keyUsageTable } from '../../shared/accounts/key-usage-table.ts';
import { approved } from '../../shared/accounts/manage-organisation.ts';
import { newOrganisation } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { attributeAt } from '../../shared/accounts/windowed-counter.ts';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import { DAY_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { balanceOf } from '../../shared/ledger/rows/wallet.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { type Item, reconcileExport } from '../reconcile/exported-tables.ts';
import { memoryClient } from '../unit/payments/memory-payments.ts';

const TABLES = {
  apiKeys: 'ApiKeys',
  wallets: 'Wallets',
  verificationLogs: 'VerificationLogs',
  payments: 'Payments',
  auditTrail: 'AuditTrail',
  console: 'Console',
};

/** The credits of each wallet before the traffic. */
const CREDITS = 200;

async function demoAt(nowIso: string) {
  const { client, writes } = memoryClient();
  const nowMs = Date.parse(nowIso);
  const fromMs = demoTrafficStartMs(nowMs);
  const organisations = organisationTable(client, TABLES.apiKeys);
  const row = approved(newOrganisation('Demo Organisation', new Date(fromMs)));
  await organisations.insertOrganisation(row);
  const shards = shardTable(client, TABLES.wallets);
  const { wallets, payments } = TABLES;
  const tables = {
    credits: creditTable(client, { wallets, payments }),
    shards,
    lots: lotTable(client, payments),
  };
  const order = { reference: 'first', kind: 'TOP_UP', amount: CREDITS, actor: 'ada', reason: '' } as const;
  const clock = { ...REAL_CLOCK, nowMs: () => fromMs };
  for (const env of ENVIRONMENTS)
    await creditWithLot({ env, organisationId: row.id }, 1, order, tables, clock);
  await createDemoTraffic(client, TABLES, row.id, { fromMs, nowMs });
  const rowsOf = (table: string): Item[] => {
    const latest = new Map<string, Item | undefined>();
    for (const { tableName, pk, sk, row: item } of writes)
      if (tableName === table) latest.set(`${pk} ${sk}`, item ?? undefined);
    return [...latest.values()].filter((item) => item !== undefined);
  };
  return { client, organisationId: row.id, fromMs, nowMs, shards, rowsOf };
}

const TIMES = [
  '2026-11-23T07:00:00.000Z',
  '2026-12-01T00:30:00.000Z',
  '2026-10-31T22:00:00.000Z',
  '2027-03-01T12:00:00.000Z',
];

test.each(TIMES)('all records of the demo traffic at %s agree', async (now) => {
  const { organisationId, nowMs, shards, rowsOf } = await demoAt(now);
  const tables = {
    apiKeys: rowsOf(TABLES.apiKeys),
    wallets: rowsOf(TABLES.wallets),
    logs: rowsOf(TABLES.verificationLogs),
  };
  const schema = tables.apiKeys.filter((row) => row['errorCode'] === 'INVALID_SCHEMA');
  expect(schema.length).toBeGreaterThan(0);
  expect(schema.filter((row) => !row['errorReason'] || !row['errorField'])).toEqual([]);
  const report = await reconcileExport(tables, nowMs);
  expect(report.differences).toEqual([]);
  expect(report.charges).toBeGreaterThan(80);
  expect(report.logs).toBe(report.charges);
  // No hold is left.
  const refs = ENVIRONMENTS.map((env) => ({ wallet: { env, organisationId }, shard: 0 }));
  for (const [index, { row }] of (await shards.getShards(refs)).entries()) {
    const own = tables.logs.filter(({ pk }) => String(pk).startsWith(`${ENVIRONMENTS[index]}#`));
    const used = own.filter(({ creditsCharged }) => creditsCharged === 1).length;
    expect(balanceOf([row])).toMatchObject({ available: CREDITS - used, held: 0 });
  }
});

test.each(TIMES)('the traffic at %s is in the past, and each active key shows its use', async (now) => {
  const { client, organisationId, fromMs, nowMs, rowsOf } = await demoAt(now);
  const times = rowsOf(TABLES.verificationLogs).map((row) => Date.parse(String(row['requestedAt'])));
  expect(Math.min(...times)).toBeGreaterThan(fromMs);
  expect(Math.max(...times)).toBeLessThan(nowMs);

  const keys = await apiKeyTable(client, TABLES.apiKeys).listApiKeys(organisationId);
  expect(keys.map(({ env, label, status }) => `${env} ${label} ${status}`).sort()).toEqual([
    'live backend ACTIVE',
    'live trial REVOKED',
    'test mobile-app ACTIVE',
  ]);
  const hashes = keys.filter(({ status }) => status === 'ACTIVE').map(({ hash }) => hash);
  const usage = await keyUsageTable(client, TABLES.apiKeys).readKeyUsage(hashes, nowMs);
  expect(hashes.every((hash) => usage.get(hash)?.network === '203.0.113.0/24')).toBe(true);
  const live = rowsOf(TABLES.verificationLogs).filter(({ pk }) => String(pk).startsWith('live#'));
  for (let ago = 0; ago < DAILY_LOOK_UPS.windows; ago += 1) {
    const dayMs = nowMs - ago * DAY_MS;
    const day = new Date(dayMs).toISOString().slice(0, 10);
    const name = attributeAt(DAILY_LOOK_UPS, dayMs);
    const counts = [...usage.values()].map((one) =>
      ago === 0 ? one.lookUpsToday : (one.earlierLookUps.get(name) ?? 0),
    );
    expect([day, counts.reduce((sum, count) => sum + count, 0)]).toEqual([
      day,
      live.filter(({ requestedAt }) => String(requestedAt).startsWith(day)).length,
    ]);
  }
  expect(rowsOf(TABLES.auditTrail).map(({ action }) => action)).toEqual([
    ...['key create', 'key create', 'key create', 'key revoke'],
  ]);
});

test.each(TIMES)('at %s, the traffic begins in the month before, which has charges', async (now) => {
  const { fromMs, nowMs, rowsOf } = await demoAt(now);
  const month = accountingMonthOf(fromMs);
  expect(month).toBe(monthBefore(accountingMonthOf(nowMs)));
  const times = rowsOf(TABLES.verificationLogs)
    .filter(({ pk, creditsCharged }) => String(pk).startsWith('live#') && creditsCharged === 1)
    .map(({ requestedAt }) => Date.parse(String(requestedAt)));
  expect(times.map(accountingMonthOf)).toContain(month);
});

test('each request has its code and times, and the start and end of each outage have alerts', async () => {
  const { rowsOf } = await demoAt('2026-11-23T07:00:00.000Z');
  const logs = rowsOf(TABLES.verificationLogs);
  const codeOf = (row: Item) => `${row['service']} ${row['httpStatus']} ${row['code']}`;
  const codes = new Set(logs.map(codeOf));
  for (const code of [
    'nin-basic 200 NIN_VERIFIED',
    'bvn-basic 400 BVN_NOT_FOUND',
    'nin-basic 503 SERVICE_UNAVAILABLE',
  ])
    expect(codes).toContain(code);
  expect([...codes].filter((code) => code.endsWith('undefined'))).toEqual([]);
  for (const { latencyMs, checksMs, ledgerMs, registryMs } of logs)
    expect(Number(checksMs) + Number(ledgerMs) + Number(registryMs)).toBe(latencyMs);

  const alerts = rowsOf(TABLES.console).filter(({ sk }) => String(sk).startsWith('ALERT#'));
  expect(alerts.map(({ title }) => title)).toEqual(['NIN, BVN, CAC, TIN and NUBAN look-ups work again']);
});
