import { expect, test } from '@jest/globals';
import { newOrganisation, type Organisation } from '../../../shared/accounts/organisation.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import { chargedRow, voidRow } from '../../../shared/ledger/rows/charge.ts';
import { chargeTable } from '../../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { documentTable } from '../../../shared/payments/documents/document-table.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../../shared/payments/lots/lot-table.ts';
import type { Closing } from '../../../shared/payments/months/closing.ts';
import { closingTable } from '../../../shared/payments/months/closing-table.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import { refundTable } from '../../../shared/payments/refunds/refund-table.ts';
import type { AccountsSource } from '../../../shared/payments/reports/accounts-source.ts';
import { type ExportRange, exportAccounts } from '../../../shared/payments/reports/export-accounts.ts';
import { lineTable } from '../../../shared/payments/reports/line-table.ts';
import { memoryClient } from './memory-payments.ts';

const ORGANISATION: Organisation = {
  ...newOrganisation('Àlphà, "Loans" Ltd', new Date('2026-10-01T00:00:00Z')),
  id: 'kBDG57GjU9',
  walletShards: 2,
};
const WALLET: WalletId = { env: 'live', organisationId: ORGANISATION.id };

async function accounts() {
  const { client } = memoryClient();
  const tables = { wallets: 'Wallets', payments: 'Payments' };
  const credits = creditTable(client, tables);
  const shards = shardTable(client, 'Wallets');
  const lots = lotTable(client, 'Payments');
  const charges = chargeTable(client, client, 'Wallets');
  for (const shard of [0, 1]) await shards.createShard(WALLET, shard);
  const clock = { nowMs: () => nowMs, pause: async () => {}, random: () => 0 };
  let nowMs = 0;
  const source: AccountsSource = {
    listOrganisations: async () => [ORGANISATION],
    closings: closingTable(client, 'Payments'),
    lots,
    documents: documentTable(client, 'Payments'),
    orders: orderTable(client, 'Payments'),
    refunds: refundTable(client, 'Payments'),
    lines: lineTable(client, 'Wallets'),
    balance: async () => ({ available: 95, held: 0, credited: 100 }),
  };
  const operation = (id: string, at: string) => ({
    id,
    wallet: WALLET,
    requestId: `req_${id}`,
    service: 'nin-basic',
    cost: 1,
    keyLabel: '=server',
    numberTag: 'tag',
    requestedAtMs: Date.parse(at) - 500,
  });
  const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'prembly', latencyMs: 500 } as const;
  return {
    source,
    async credit(reference: string, amount: number, at: string) {
      nowMs = Date.parse(at);
      const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
      const order = { reference, kind, amount, actor: 'ada', reason: 'a; =reason' };
      await creditWithLot(WALLET, 2, order, { credits, shards, lots }, clock);
    },
    async charge(id: string, shard: number, at: string) {
      const hold = { shard, holdId: `hold-${id}` };
      await charges.decide(WALLET, chargedRow(operation(id, at), facts, hold, Date.parse(at)));
    },
    async fail(id: string, at: string) {
      await charges.decide(WALLET, voidRow(operation(id, at), facts, Date.parse(at)));
    },
  };
}

async function exported(source: AccountsSource, range: ExportRange): Promise<Record<string, string[]>> {
  const files: Record<string, string> = {};
  for await (const { file, text } of exportAccounts(range, source, () => Date.UTC(2027, 0)))
    files[file] = (files[file] ?? '') + text;
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.split('\r\n')]));
}

/** November 2026 in Lagos. */
const NOVEMBER = { from: '2026-10-31T23:00:00.000Z', to: '2026-11-30T23:00:00.000Z' };

test('an export contains the credits and charges of the range, by month in Lagos, from all shards, oldest first', async () => {
  const { source, credit, charge, fail } = await accounts();
  await credit('before', 10, '2026-10-31T22:59:59.999Z');
  await credit('first', 100, '2026-10-31T23:00:00.000Z');
  await charge('B', 1, '2026-11-02T10:00:00.001Z');
  await charge('A', 0, '2026-11-02T10:00:00.000Z');
  await fail('V', '2026-11-02T11:00:00.000Z');
  await charge('C', 0, '2026-11-30T22:59:59.999Z');
  await charge('D', 0, '2026-11-30T23:00:00.000Z');

  const files = await exported(source, { ...NOVEMBER, env: 'live' });

  expect(files['charges']).toEqual([
    '\ufefforganisation,name,environment,currency,month,operation,request_id,service,credits,lots,earned_kobo,key_label,provider,requested_at,decided_at',
    expect.stringMatching(
      /^kBDG57GjU9,"Àlphà, ""Loans"" Ltd",live,NGN,2026-11,A,req_A,nin-basic,1,,,'=server,prembly,/,
    ),
    expect.stringContaining(',2026-11,B,'),
    expect.stringContaining(',2026-11,C,'),
    '',
  ]);
  expect(files['credits']?.slice(1)).toEqual([
    expect.stringMatching(
      /,NGN,2026-11,first,TOP_UP,,100,[0-9A-Z]{26},ada,"a; '=reason",2026-10-31T23:00:00.000Z,/,
    ),
    '',
  ]);
  // Lots of earlier months are included, because the charges of this month may have used them.
  expect(files['lots']?.slice(1)).toEqual([
    expect.stringMatching(/,2026-10,[0-9A-Z]{26},promotional,10,0,0,0,0,before,/),
    expect.stringMatching(/,2026-11,[0-9A-Z]{26},promotional,100,0,0,0,0,first,/),
    '',
  ]);
  expect(files['wallets']?.slice(1)).toEqual([
    'kBDG57GjU9,"Àlphà, ""Loans"" Ltd",live,NGN,95,0,100,2027-01-01T00:00:00.000Z',
    '',
  ]);
});

test('a charge of a closed month names the lots that it used, even if the range begins after the month', async () => {
  const { source, credit, charge } = await accounts();
  await credit('before', 1, '2026-10-15T10:00:00.000Z');
  await credit('first', 100, '2026-10-31T23:00:00.000Z');
  await charge('A', 0, '2026-11-02T10:00:00.000Z');
  await charge('B', 0, '2026-11-20T10:00:00.000Z');
  const closing: Closing = { month: '2026-11', state: 'CLOSED', startedAt: '', startedBy: 'ada', version: 1 };
  const closings = {
    getClosing: async (_: WalletId, month: string) => (month === '2026-11' ? closing : undefined),
    latestClosings: source.closings.latestClosings,
  };
  const range = { ...NOVEMBER, from: '2026-11-15T00:00:00.000Z', env: 'live' as const };
  const { charges = [] } = await exported({ ...source, closings }, range);
  const second = (await source.lots.listLots(WALLET)).find(({ reference }) => reference === 'first');
  expect(charges.slice(1)).toEqual([expect.stringContaining(`,B,req_B,nin-basic,1,${second?.id}:1,0,`), '']);
});

test('an export of a stage without customers has only the header of each file', async () => {
  const { source } = await accounts();
  const files = await exported({ ...source, listOrganisations: async () => [] }, NOVEMBER);
  expect(Object.keys(files)).toHaveLength(11);
  for (const lines of Object.values(files)) {
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\ufefforganisation,name,environment,currency,/);
  }
});
