import { describe, expect, test } from '@jest/globals';
import type { FinancialDocument } from '../../../shared/payments/documents/financial-document.ts';
import type { Lot } from '../../../shared/payments/lots/lot.ts';
import type { Closing, MonthValue } from '../../../shared/payments/months/closing.ts';
import { priceOf } from '../../../shared/payments/naira.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import type { Refund } from '../../../shared/payments/refunds/refund.ts';
import { agedBalancesReport } from '../../../shared/payments/reports/aged-balances.ts';
import { lotsReport } from '../../../shared/payments/reports/lots.ts';
import {
  countCalls,
  marginsReport,
  providerBillsReport,
  providerCostReport,
} from '../../../shared/payments/reports/provider-cost.ts';
import { type Report, reportCsv, reportJson } from '../../../shared/payments/reports/report.ts';
import { customersReport, revenueReport } from '../../../shared/payments/reports/revenue.ts';
import { servicesReport, usageReport } from '../../../shared/payments/reports/usage.ts';
import { vatReturnReport } from '../../../shared/payments/reports/vat-return.ts';
import type { WalletMonth } from '../../../shared/payments/reports/wallet-month.ts';

const MONTH = '2026-11';

const NO_VALUE: MonthValue = { paidKobo: 0, earnedKobo: 0, refundedKobo: 0, expiredKobo: 0, deferredKobo: 0 };

/** `consumed` credits were charged, at 25 naira each. */
function closed(consumed: number, value: Partial<MonthValue> = {}): Closing {
  return {
    month: MONTH,
    state: 'CLOSED',
    startedAt: '2026-12-01T09:00:00.000Z',
    startedBy: 'ada',
    closedAt: '2026-12-01T09:00:01.000Z',
    statement: 'IDVS-2026-000007',
    version: 2,
    figures: {
      credits: { opening: 100, toppedUp: 0, corrected: 0, charged: consumed, closing: 100 - consumed },
      value: { ...NO_VALUE, ...value },
      lotsSha256: '0'.repeat(64),
      services: [
        { service: 'nin-basic', requests: consumed, credits: consumed, earnedKobo: consumed * 2_500 },
      ],
      lines: consumed,
      linesSha256: '0'.repeat(64),
    },
  };
}

function walletMonth(organisationId: string, name: string, more: Partial<WalletMonth> = {}): WalletMonth {
  const wallet = { env: 'live', organisationId } as const;
  return {
    wallet,
    name,
    month: MONTH,
    closing: undefined,
    lots: [],
    documents: [],
    orders: [],
    refunds: [],
    ...more,
  };
}

/** Returns a lot of which the month used `consumed` credits. */
function lot(id: string, createdAt: string, { consumed = 0, credits = 100, isFree = false } = {}): Lot {
  const koboPerCredit = isFree ? 0 : 2_500;
  return {
    id,
    kind: isFree ? 'promotional' : 'paid',
    credits,
    koboPerCredit,
    ...priceOf(credits, koboPerCredit, 750),
    vatBasisPoints: 750,
    reference: `paystack:TOPUP-${id}`,
    order: `TOPUP-${id}`,
    invoice: 'IDV-2026-000001',
    createdAt,
    month: createdAt.slice(0, 7),
    consumed: consumed > 0 ? { [MONTH]: consumed } : {},
    withdrawals: [],
    remaining: credits - consumed,
  };
}

function order(reference: string, more: Partial<TopUpOrder> = {}): TopUpOrder {
  return {
    reference,
    env: 'live',
    organisationId: 'kBDG57GjU9',
    method: 'PAYSTACK',
    state: 'OPENED',
    credits: 100,
    koboPerCredit: 2_500,
    netKobo: 250_000,
    vatBasisPoints: 750,
    vatKobo: 18_750,
    totalKobo: 268_750,
    currency: 'NGN',
    openedAt: '2026-11-29T10:00:00.000Z',
    openedBy: 'server',
    expiresAt: '2026-11-30T10:00:00.000Z',
    version: 1,
    ...more,
  };
}

function documentOf(kind: FinancialDocument['kind'], number: string, netKobo: number, vatKobo: number) {
  const amounts = { netKobo, vatKobo, totalKobo: netKobo + vatKobo };
  const party = {
    name: 'Ọ̀ṣun Lending Ltd',
    address: ['1 Lagos Road'],
    taxNumber: '12345678-0001',
    email: 'a@b.example',
  };
  const line = { description: 'Credits', quantity: 100, unitKobo: 2_500, vatBasisPoints: 750, ...amounts };
  const document: FinancialDocument = {
    number,
    kind,
    env: 'live',
    organisationId: 'kBDG57GjU9',
    issuedAt: '2026-11-05T10:00:00.000Z',
    month: MONTH,
    seller: party,
    buyer: party,
    currency: 'NGN',
    lines: [line],
    ...amounts,
    totalInWords: '',
    contentSha256: '',
    ...(kind === 'CREDIT_NOTE' && { invoice: 'IDV-2026-000001' }),
  };
  return document;
}

/** Returns the rows of a report with only these columns. */
const cells = ({ rows }: Report, ...names: string[]) => rows.map((row) => names.map((name) => row[name]));

describe('the files of a report:', () => {
  test('CSV is UTF-8 with a byte order mark, amounts in naira, and no cell that can run as a formula', () => {
    const months = [walletMonth('kBDG57GjU9', '=Ọ̀ṣun, Ltd', { closing: closed(3, { earnedKobo: 7_500 }) })];
    const [head, row, end] = reportCsv(revenueReport(months)).split('\r\n');
    expect(head).toBe(
      '\ufefforganisation,name,environment,currency,month,opening_deferred_naira,paid_naira,earned_naira,refunded_naira,expired_naira,closing_deferred_naira',
    );
    expect(row).toBe('kBDG57GjU9,"\'=Ọ̀ṣun, Ltd",live,NGN,2026-11,75.00,0.00,75.00,0.00,0.00,0.00');
    expect(end).toBe('');
  });

  test('every row of every report contains the organisation, its name, the environment and the currency', () => {
    const one = walletMonth('kBDG57GjU9', 'Alpha', {
      closing: closed(0),
      lots: [lot('A', '2026-11-01T10:00:00.000Z')],
      documents: [documentOf('INVOICE', 'IDV-2026-000001', 100, 8)],
      orders: [order('TOPUP-B')],
    });
    const counts = [{ provider: 'prembly', service: 'nin-basic', outcome: 'FOUND', calls: 3 } as const];
    const reports = [
      customersReport([one]),
      revenueReport([one]),
      usageReport([one]),
      servicesReport([one]),
      vatReturnReport([one]),
      agedBalancesReport([one]),
      lotsReport([one]),
      providerCostReport(MONTH, counts, {}),
      providerBillsReport(MONTH, counts, {}, {}),
      marginsReport([one], MONTH, counts, {}),
    ];
    for (const report of reports) {
      expect(report.rows.length).toBeGreaterThan(0);
      expect(Object.keys(report.columns).slice(0, 4)).toEqual([
        'organisation',
        'name',
        'environment',
        'currency',
      ]);
      for (const row of report.rows) {
        expect(Object.keys(row)).toEqual(Object.keys(report.columns));
        expect([row['organisation'], row['name'], row['environment']]).not.toContain('');
        expect(row['currency']).toBe('NGN');
      }
    }
  });

  test('JSON has integer kobo, and the totals of all columns that can be added up', () => {
    const closing = closed(3, { earnedKobo: 7_500, paidKobo: 2_500 });
    const months = [
      walletMonth('kBDG57GjU9', 'Alpha', { closing }),
      walletMonth('aaaaaaaaaa', 'Beta', { closing }),
    ];
    const json = JSON.parse(reportJson(revenueReport(months)));
    expect(json.rows[1].earned_kobo).toBe(7_500);
    expect(json.totals).toMatchObject({
      earned_kobo: 15_000,
      paid_kobo: 5_000,
      opening_deferred_kobo: 10_000,
    });
  });
});

describe('the customers report', () => {
  test('lists a wallet without figures if its month is open or reopened', () => {
    const closing = closed(3, { earnedKobo: 7_500 });
    const report = customersReport([
      walletMonth('kBDG57GjU9', 'Closed', { closing }),
      walletMonth('aaaaaaaaaa', 'Open'),
      walletMonth('bbbbbbbbbb', 'Reopened', { closing: { ...closing, state: 'REOPENED' } }),
    ]);
    expect(cells(report, 'state', 'statement', 'charged_credits', 'earned_kobo')).toEqual([
      ['CLOSED', 'IDVS-2026-000007', 3, 7_500],
      ['OPEN', '', '', ''],
      ['REOPENED', '', '', ''],
    ]);
  });
});

test('the services report adds up all customers of an environment', () => {
  const months = [
    walletMonth('kBDG57GjU9', 'Alpha', { closing: closed(3) }),
    walletMonth('aaaaaaaaaa', 'Beta', { closing: closed(5) }),
  ];
  const report = servicesReport(months);
  expect(cells(report, 'organisation', 'service', 'requests', 'credits', 'earned_kobo')).toEqual([
    ['ALL', 'nin-basic', 8, 8, 20_000],
  ]);
});

test('the VAT return contains only invoices and, with negative amounts, credit notes', () => {
  const documents = [
    documentOf('INVOICE', 'IDV-2026-000001', 250_000, 18_750),
    documentOf('RECEIPT', 'IDVR-2026-000001', 250_000, 18_750),
    documentOf('CREDIT_NOTE', 'IDVC-2026-000001', 100_000, 7_500),
    documentOf('STATEMENT', 'IDVS-2026-000001', 0, 0),
  ];
  const report = vatReturnReport([walletMonth('kBDG57GjU9', 'Alpha', { documents })]);
  expect(cells(report, 'number', 'invoice', 'vat_percent', 'net_kobo', 'vat_kobo', 'total_kobo')).toEqual([
    ['IDV-2026-000001', '', '7.5', 250_000, 18_750, 268_750],
    ['IDVC-2026-000001', 'IDV-2026-000001', '7.5', -100_000, -7_500, -107_500],
  ]);
});

test('aged balances list what is left of paid lots, by age at the end of the month in Lagos', () => {
  const lots = [
    lot('OLD', '2025-11-01T10:00:00.000Z', { credits: 10, consumed: 1 }),
    lot('MIDDLE', '2026-10-30T23:00:00.000Z', { credits: 4 }),
    lot('NEW', '2026-10-30T23:00:00.001Z', { credits: 6 }),
    lot('FREE', '2026-11-20T10:00:00.000Z', { credits: 5, isFree: true }),
    lot('EMPTY', '2026-11-20T10:00:00.000Z', { credits: 9, consumed: 9 }),
  ];
  const closing = closed(0);
  const report = agedBalancesReport([walletMonth('kBDG57GjU9', 'Alpha', { lots, closing })]);
  expect(cells(report, 'balance', 'age_days', 'items', 'credits', 'amount_kobo')).toEqual([
    ['DEFERRED', '0-30', 1, 6, 15_000],
    ['DEFERRED', '31-60', 1, 4, 10_000],
    ['DEFERRED', 'over 365', 1, 9, 22_500],
  ]);
});

describe('aged balances are those of the end of the month:', () => {
  const open = { openedAt: '2026-11-30T20:00:00.000Z', expiresAt: '2026-12-01T20:00:00.000Z' };
  const [LATER, EARLIER] = ['2026-12-01T12:00:00.000Z', '2026-11-30T22:00:00.000Z'];
  const paidAt = (time: string, currency = 'NGN') => ({
    payment: { amountKobo: 268_700, currency, paidAt: time, channel: 'card', providerReference: '1' },
  });
  const UNPAID = [['UNPAID_ORDER', 'NGN', '0-30', 1, 100, 268_750]];
  const UNAPPLIED = [['UNAPPLIED_CASH', 'NGN', '0-30', 1, 100, 268_700]];
  const shown = (report: Report) =>
    cells(report, 'balance', 'currency', 'age_days', 'items', 'credits', 'amount_kobo');

  test.each<readonly [string, Partial<TopUpOrder>, readonly unknown[]]>([
    ['an order that can be paid is unpaid', {}, UNPAID],
    ['an order that was opened later is not listed', { openedAt: '2026-11-30T23:00:00.000Z' }, []],
    [
      'an order that was paid later is unpaid',
      { state: 'CREDITED', creditedAt: LATER, ...paidAt(LATER) },
      UNPAID,
    ],
    ['an order that failed later is unpaid', { state: 'FAILED', failedAt: LATER }, UNPAID],
    ['an order that failed is not listed', { state: 'FAILED', failedAt: EARLIER }, []],
    ['an order whose failure has no time is not listed', { state: 'FAILED' }, []],
    ['an order that expired is not listed', { state: 'EXPIRED', expiresAt: EARLIER }, []],
    ['a payment that was credited is not listed', { creditedAt: EARLIER, ...paidAt(EARLIER) }, []],
    ['a payment that was credited later is unapplied', { creditedAt: LATER, ...paidAt(EARLIER) }, UNAPPLIED],
    [
      'a payment that differs from its order is unapplied',
      { state: 'MISMATCH', ...paidAt(EARLIER) },
      UNAPPLIED,
    ],
    [
      'a payment that was resolved later is unapplied',
      { state: 'MISMATCH', resolution: 'returned', resolvedAt: LATER, ...paidAt(EARLIER) },
      UNAPPLIED,
    ],
    [
      'a payment that was resolved is not listed',
      { state: 'MISMATCH', resolution: 'returned', resolvedAt: EARLIER, ...paidAt(EARLIER) },
      [],
    ],
    [
      'a payment whose resolution has no time is not listed',
      { state: 'MISMATCH', resolution: 'returned', ...paidAt(EARLIER) },
      [],
    ],
    [
      'a payment in another currency is not added to naira',
      { state: 'MISMATCH', ...paidAt(EARLIER, 'USD') },
      [['UNAPPLIED_CASH', 'USD', '0-30', 1, 100, '']],
    ],
  ])('%s', (_, change, rows) => {
    const orders = [order('TOPUP-1', { ...open, ...change })];
    expect(shown(agedBalancesReport([walletMonth('kBDG57GjU9', 'Alpha', { orders })]))).toEqual(rows);
  });

  test('a refund is unpaid from its request until its money was returned', () => {
    const refund = (requestedAt: string, doneAt?: string) =>
      ({ requestedAt, credits: 10, totalKobo: 26_875, ...(doneAt && { doneAt }) }) as Refund;
    const refunds = [
      refund('2026-11-10T10:00:00.000Z', LATER),
      refund('2026-08-10T10:00:00.000Z'),
      refund('2026-11-10T10:00:00.000Z', EARLIER),
      refund(LATER),
    ];
    expect(shown(agedBalancesReport([walletMonth('kBDG57GjU9', 'Alpha', { refunds })]))).toEqual([
      ['UNPAID_REFUND', 'NGN', '0-30', 1, 10, 26_875],
      ['UNPAID_REFUND', 'NGN', '91-180', 1, 10, 26_875],
    ]);
  });
});

test('the lots report names the credit, order, invoice and payment behind its figures', () => {
  const paid = order('TOPUP-A', {
    state: 'CREDITED',
    payment: {
      amountKobo: 268_750,
      currency: 'NGN',
      paidAt: '2026-11-01T09:59:00.000Z',
      channel: 'card',
      providerReference: '4099260516',
    },
  });
  const months = [
    walletMonth('kBDG57GjU9', 'Alpha', {
      lots: [lot('A', '2026-11-01T10:00:00.000Z', { consumed: 3 })],
      orders: [paid],
      closing: closed(3),
    }),
  ];
  const [row] = lotsReport(months).rows;
  expect(row).toMatchObject({
    lot: 'A',
    credit_reference: 'paystack:TOPUP-A',
    order: 'TOPUP-A',
    invoice: 'IDV-2026-000001',
    payment_method: 'PAYSTACK',
    payment_reference: '4099260516',
    earned_kobo: 7_500,
    deferred_kobo: 242_500,
  });
});

test('a new lot opens with 0 and adds its credits, and an earlier lot opens with its remaining credits', () => {
  const months = [
    walletMonth('kBDG57GjU9', 'Alpha', {
      lots: [lot('A', '2026-10-01T10:00:00.000Z', { consumed: 3 }), lot('B', '2026-11-01T10:00:00.000Z')],
      closing: closed(0),
    }),
  ];
  expect(lotsReport(months).rows).toMatchObject([
    { lot: 'A', opening_credits: 100, added_credits: 0, paid_kobo: 0 },
    { lot: 'B', opening_credits: 0, added_credits: 100, paid_kobo: 250_000 },
  ]);
});

describe('a report of provider costs', () => {
  async function* rows() {
    const kinds = [
      ['prembly', 'nin-basic', 'FOUND', 5],
      ['prembly', 'nin-basic', 'NOT_FOUND', 2],
      ['prembly', 'nin-basic', 'TIMEOUT', 1],
      ['dojah', 'nin-basic', 'FOUND', 1],
      ['dojah', 'bvn-basic', 'FOUND', 1],
      ['', 'nin-basic', 'REFUSED', 9],
    ] as const;
    for (const [provider, service, outcome, count] of kinds)
      for (let n = 0; n < count; n += 1) yield { provider, service, outcome };
  }
  const PRICES = {
    prembly: {
      koboPerCall: { 'nin-basic': 1_000, '*': 5_000 },
      billed: ['FOUND', 'NOT_FOUND'] as ('FOUND' | 'NOT_FOUND')[],
    },
    dojah: { koboPerCall: { 'nin-basic': 900 }, billed: ['FOUND'] as 'FOUND'[] },
  };

  test('counts the outcomes that a provider bills, and leaves the cost empty if the price is unknown', async () => {
    const report = providerCostReport(MONTH, await countCalls(rows()), PRICES);
    expect(cells(report, 'provider', 'service', 'calls', 'billed_calls', 'cost_kobo')).toEqual([
      ['dojah', 'bvn-basic', 1, 1, ''],
      ['dojah', 'nin-basic', 1, 1, 900],
      ['prembly', 'nin-basic', 8, 7, 7_000],
    ]);
  });

  test('compares the cost of our calls with the total of each bill', async () => {
    const report = providerBillsReport(MONTH, await countCalls(rows()), PRICES, {
      prembly: 7_500,
      qoreid: 100,
    });
    expect(cells(report, 'provider', 'expected_kobo', 'billed_kobo', 'difference_kobo')).toEqual([
      ['dojah', 900, '', ''],
      ['prembly', 7_000, 7_500, 500],
      ['qoreid', 0, 100, 100],
    ]);
  });

  test('computes the margin of a service from the revenue of live wallets and the cost of all its calls', async () => {
    const closing = closed(3);
    const months = [
      walletMonth('kBDG57GjU9', 'Alpha', { closing }),
      walletMonth('kBDG57GjU9', 'Alpha', { closing, wallet: { env: 'test', organisationId: 'kBDG57GjU9' } }),
    ];
    const report = marginsReport(months, MONTH, await countCalls(rows()), PRICES);
    expect(cells(report, 'service', 'earned_kobo', 'provider_cost_kobo', 'margin_kobo')).toEqual([
      ['bvn-basic', 0, 0, 0],
      ['nin-basic', 7_500, 7_900, -400],
    ]);
  });
});
