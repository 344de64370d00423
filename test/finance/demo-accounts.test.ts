import { expect, test } from '@jest/globals';
import { createDemoAccounts, DEMO_CUSTOMER } from '../../infra/local/demo-accounts.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { NO_RECORD } from '../../shared/audit/recorder.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { closeMonth } from '../support/payments/close-month.ts';
import { memoryClient, memoryClock, SETTINGS } from '../unit/payments/memory-payments.ts';

const TABLES = {
  apiKeys: 'ApiKeys',
  wallets: 'Wallets',
  verificationLogs: 'VerificationLogs',
  payments: 'Payments',
};
const WALLET = { env: 'live', organisationId: DEMO_CUSTOMER.id } as const;

/** Creates the demo customer at this time, and closes its month. */
async function closeDemoMonth(nowIso: string) {
  const { client, writes } = memoryClient();
  const create = () => createDemoAccounts(client, TABLES, SETTINGS, Date.parse(nowIso));
  const month = await create();
  const count = writes.length;
  await create();
  expect(writes).toHaveLength(count);
  const organisation = await organisationTable(client, 'ApiKeys').getOrganisation(DEMO_CUSTOMER.id);
  const { createdAt = '' } = organisation ?? {};
  const { closing } = await closeMonth(
    { scope: { wallet: WALLET, shards: 1, createdAt }, month, actor: 'ada' },
    {
      closings: closingTable(client, 'Payments'),
      lots: lotTable(client, 'Payments'),
      documents: documentTable(client, 'Payments'),
      billing: billingTable(client, 'Payments'),
      statement: statementTable(client, 'Wallets'),
      shards: shardTable(client, 'Wallets'),
      settings: SETTINGS,
      clock: memoryClock(nowIso).clock,
      recorder: NO_RECORD,
    },
  );
  return { month, figures: closing.figures };
}

test.each([
  ['2026-11-23T10:00:00.000Z', '2026-10'],
  ['2026-11-30T23:30:00.000Z', '2026-11'],
  ['2027-03-01T08:00:00.000Z', '2027-02'],
  ['2027-01-31T22:00:00.000Z', '2026-12'],
])('at %s, month %s of the demo customer has the figures in docs/finance.md', async (now, expected) => {
  const { month, figures } = await closeDemoMonth(now);
  expect(month).toBe(expected);
  expect(figures?.credits).toEqual({ opening: 0, toppedUp: 750, corrected: -105, charged: 80, closing: 565 });
  expect(figures?.value).toEqual({
    paidKobo: 3_150_000,
    earnedKobo: 360_000,
    refundedKobo: 450_000,
    expiredKobo: 0,
    deferredKobo: 2_340_000,
  });
  expect(figures?.services.map(({ service, requests, credits }) => [service, requests, credits])).toEqual([
    ['nin-basic', 40, 40],
    ['nin-premium', 20, 40],
  ]);
});
