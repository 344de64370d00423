import { describe, expect, test } from '@jest/globals';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import type { Workplace } from '../../../shared/operators/deployment.ts';
import { pricesOf } from '../../../shared/operators/operations/prices.ts';
import type { QuoteDependencies } from '../../../shared/payments/dependencies.ts';
import { quoteTopUp } from '../../../shared/payments/orders/quote-top-up.ts';
import { type CreditPrice, koboPerCreditAt, vatRateOn } from '../../../shared/payments/prices/price.ts';
import { memoryClient, memoryClock, SETTINGS } from './memory-payments.ts';

const price = (koboPerCredit: number | null, from: string): CreditPrice => ({
  koboPerCredit,
  from,
  actor: 'ada',
  reason: '',
  createdAt: from,
});

const [JANUARY, MARCH, MAY] = ['2026-01-01', '2026-03-01', '2026-05-01'].map((day) => `${day}T00:00:00.000Z`);

describe('the price of a credit', () => {
  const stage = [price(6_000, MAY ?? ''), price(5_000, JANUARY ?? '')];

  test.each([
    ['2025-12-31T23:59:59.999Z', undefined],
    [JANUARY, 5_000],
    ['2026-04-30T23:59:59.999Z', 5_000],
    [MAY, 6_000],
  ])('at %s is the latest one of the stage that applies: %p', (at = '', kobo) => {
    expect(koboPerCreditAt({ stage, organisation: [] }, at)).toBe(kobo);
  });

  test("is the organisation's own price until that ends, even if the stage's price is later", () => {
    const organisation = [price(4_000, MARCH ?? ''), price(null, '2026-06-01T00:00:00.000Z')];
    const at = (time = '') => koboPerCreditAt({ stage, organisation }, time);
    expect([at(JANUARY), at(MARCH), at(MAY), at('2026-06-01T00:00:00.000Z')]).toEqual([
      5_000, 4_000, 4_000, 6_000,
    ]);
  });
});

test('the audit trail shows what a credit cost before a change', async () => {
  const { client } = memoryClient();
  const audit = auditTable(client, 'AuditTrail');
  const { time, clock } = memoryClock(MAY ?? '');
  const run = { actor: 'ada', action: 'price set', commandId: newOperationId() };
  const organisations = organisationTable(client, 'ApiKeys');
  await organisations.insertOrganisation({ ...newOrganisation('Kainji', new Date()), id: 'aaaaaaaaaa' });
  const prices = pricesOf({
    deployment: { client, tables: { apiKeys: 'ApiKeys', payments: 'Payments', wallets: 'Wallets' } },
    recorder: auditRecorder(audit, run, clock.nowMs),
    clock,
  } as unknown as Workplace);
  const set = (koboPerCredit: number | null, organisationId?: string) => {
    time.nowMs += 1_000;
    return prices.setCreditPrice({ organisationId, koboPerCredit, from: undefined, reason: 'list' }, 'ada');
  };
  await set(5_000);
  await set(6_000);
  await set(4_000, 'aaaaaaaaaa');
  await set(null, 'aaaaaaaaaa');
  const changes = async (id: string) =>
    (await audit.listEntries(id))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ before, after }) => [before?.['koboPerCredit'], after?.['koboPerCredit']]);
  expect(await changes('aaaaaaaaaa')).toEqual([
    [6_000, 4_000],
    [4_000, null],
  ]);
});

const VAT = [
  { from: '2026-03-01', basisPoints: 1_000 },
  { from: '2020-02-01', basisPoints: 750 },
];

test('a rate of VAT applies from its first day', () => {
  expect(['2020-02-01', '2026-02-28', '2026-03-01'].map((day) => vatRateOn(VAT, day))).toEqual([
    750, 750, 1_000,
  ]);
  expect(() => vatRateOn(VAT, '2020-01-31')).toThrow('no rate of VAT for 2020-01-31');
});

describe('a quote', () => {
  const quote = (credits: number, now: string) => {
    const deps = {
      prices: { listPrices: async () => [price(5_000, JANUARY ?? '')] },
      billing: { getBilling: async () => ({ ...SETTINGS.seller, changedAt: JANUARY, changedBy: 'ada' }) },
      settings: { ...SETTINGS, vat: VAT },
      clock: { nowMs: () => Date.parse(now), pause: async () => undefined, random: () => 0 },
    } as unknown as QuoteDependencies;
    return quoteTopUp('aaaaaaaaaa', credits, deps);
  };

  test.each([
    [9, 'wrong-amount'],
    [10, 'quoted'],
    [100_000, 'quoted'],
    [100_001, 'wrong-amount'],
  ])('for %d credits, if the stage sells from 10 to 100,000: %s', async (credits, kind) => {
    expect(await quote(credits, '2026-04-01T12:00:00.000Z')).toMatchObject({ kind });
  });

  test('has the rate of VAT of the day in Lagos, which begins at 23:00 UTC', async () => {
    expect(await quote(10, '2026-02-28T22:59:59.999Z')).toMatchObject({ price: { vatBasisPoints: 750 } });
    expect(await quote(10, '2026-02-28T23:00:00.000Z')).toMatchObject({ price: { vatBasisPoints: 1_000 } });
  });
});
