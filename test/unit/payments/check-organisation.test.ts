import { describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '../../../shared/audit/audit-entry.ts';
import type { AutomaticTopUp } from '../../../shared/payments/automatic/automatic-top-up.ts';
import { checkOrganisation } from '../../../shared/payments/control/check-organisation.ts';
import { checkOwners } from '../../../shared/payments/control/check-owners.ts';
import { checkValues } from '../../../shared/payments/control/check-values.ts';
import { Findings } from '../../../shared/payments/control/money-rows.ts';
import { WALLET } from './memory-payments.ts';

/** What the control says about the rows of an organisation, next to the audit trail. */

type Rows = Parameters<typeof checkOrganisation>[0];

const PARTY = { name: 'Kainji', address: ['Lagos'], taxNumber: '1', email: 'a@kainji.example' };
const ID = WALLET.organisationId;
const SETTINGS = { state: 'ON', thresholdCredits: 100, credits: 500, monthlyCapKobo: 10_000 } as const;
const AUTOMATIC: AutomaticTopUp = {
  ...SETTINGS,
  ...{ organisationId: ID, month: '2026-05', monthKobo: 500 },
  ...{ changedAt: '2026-05-02T00:00:00.000Z', changedBy: 'ada', version: 1 },
};

const DUE = { dueKey: 'DUE#AUTOMATIC', dueSort: ID };

function entry(target: string, at: string, values: Pick<AuditEntry, 'before' | 'after'>): AuditEntry {
  return { id: at, at, actor: 'ada', action: 'test', commandId: 'test', target, ...values };
}

const CREATED = entry('organisation', '2026-05-01T00:00:00.000Z', { after: { id: ID } });
const PRICED = entry('organisation', '2026-05-03T00:00:00.000Z', { after: { prices: { 'nin-basic': 2 } } });
const RENAMED = entry('billing details', '2026-05-10T00:00:00.000Z', {
  before: { name: 'Old Kainji' },
  after: { name: 'Kainji' },
});
const SET_UP = entry('automatic top-up', '2026-05-02T00:00:00.000Z', {
  after: { ...SETTINGS, changedAt: AUTOMATIC.changedAt },
});
const ENTRIES = [RENAMED, PRICED, SET_UP, CREATED];

const invoice = (issuedAt: string, name: string) =>
  ({
    number: 'IDV-2026-000001',
    kind: 'INVOICE',
    issuedAt,
    buyer: { ...PARTY, name },
  }) as Rows['documents'][0];
const order = (values: object) =>
  ({
    ...{ openedBy: 'automatic top-up', method: 'PAYSTACK', state: 'CREDITED' },
    ...{ openedAt: '2026-05-11T00:00:00.000Z', totalKobo: 500, ...values },
  }) as Rows['orders'][0];

const RIGHT: Rows = {
  wallet: WALLET,
  nowMs: Date.parse('2026-05-20T00:00:00.000Z'),
  createdAt: '2026-05-01T00:00:00.000Z',
  refunds: new Map(),
  prices: { 'nin-basic': 2 },
  billing: PARTY,
  automatic: { ...AUTOMATIC, ...DUE },
  documents: [
    invoice('2026-05-09T00:00:00.000Z', 'Old Kainji'),
    invoice('2026-05-11T00:00:00.000Z', 'Kainji'),
  ],
  orders: [
    order({}),
    order({ checkoutUrl: 'https://checkout.example' }),
    order({ failedAt: 'then' }),
    order({ openedBy: 'key:automatic top-up', openedAt: '2026-06-01T00:00:00.000Z', failedAt: 'then' }),
  ],
};

function found(changes: Partial<Rows>, entries = ENTRIES, completeFrom = ''): string[] {
  const findings = new Findings(WALLET);
  const trail = { entries, hashedFrom: '2026-01-01', completeFrom, openedFromMs: 0, covers: () => true };
  checkOrganisation({ ...RIGHT, ...changes }, trail, findings);
  return findings.all.map(({ kind }) => kind);
}

describe('rows of an organisation', () => {
  test.each<[string, Partial<Rows>]>([
    ['agree', {}],
    [
      'agree if the buyer changed while an invoice was issued',
      {
        documents: ['Kainji', 'Old Kainji'].map((name) => invoice('2026-05-10T00:01:00.000Z', name)),
      },
    ],
    [
      'are compared in the live wallet only',
      { wallet: { ...WALLET, env: 'test' }, prices: {}, automatic: undefined },
    ],
  ])('%s', (_, changes) => {
    expect(found(changes)).toEqual([]);
  });

  test.each<[string, Partial<Rows>, string]>([
    ['a price of 0', { prices: { 'nin-basic': 0 } }, 'unreadable'],
    ['a negative price', { prices: { 'nin-basic': -5 } }, 'unreadable'],
    ['another price', { prices: { 'nin-basic': 1 } }, 'trail-money'],
    ['no price', { prices: {} }, 'trail-money'],
    ['deleted billing details', { billing: undefined }, 'trail-money'],
    ['an earlier buyer', { documents: [invoice('2026-05-11T00:00:00.000Z', 'Old Kainji')] }, 'trail-money'],
    ['a later buyer', { documents: [invoice('2026-05-09T00:00:00.000Z', 'Kainji')] }, 'trail-money'],
    ['no automatic top-ups', { automatic: undefined }, 'trail-money'],
    ['another monthly limit', { automatic: { ...AUTOMATIC, monthlyCapKobo: 1e9 } }, 'trail-money'],
    ['another person who saved them', { automatic: { ...AUTOMATIC, changedBy: 'bola' } }, 'trail-money'],
    ['automatic top-ups that stopped', { automatic: { ...AUTOMATIC, state: 'STOPPED' } }, 'trail-money'],
    ['unreadable automatic top-ups', { automatic: { ...AUTOMATIC, credits: 'many' } }, 'unreadable'],
    ['top-ups below the threshold', { automatic: { ...AUTOMATIC, credits: 50 } }, 'unreadable'],
    ['less charged in the month', { automatic: { ...AUTOMATIC, monthKobo: 0 } }, 'order'],
    ['a forgotten charge', { orders: [order({ state: 'OPENED', reference: 'TOPUP-1' })] }, 'order'],
  ])('%s is reported', (_, changes, kind) => {
    expect(found(changes)).toContain(kind);
  });

  test('an organisation and settings without an entry are reported if all entries were read', () => {
    expect(found({}, [RENAMED])).toEqual(['trail-money', 'trail-money', 'trail-money']);
    expect(found({}, [RENAMED], '2026-05-04T00:00:00.000Z')).toEqual([]);
  });
});

test.each<[string, object]>([
  ['a time after the run', { changedAt: '2026-06-01T00:00:00.000Z' }],
  ['a time that is none', { at: 'soon' }],
  ['a time of another zone', { from: '2026-05-20T00:00:00+01:00' }],
  ['a fraction', { netKobo: 0.5 }],
  ['a negative amount', { parts: [{ netKobo: -1 }] }],
  ['no credits', { sk: 'ORDER', credits: 0 }],
  ['a price of 0', { pk: 'PRICES#STAGE', koboPerCredit: 0 }],
])('%s is reported', (_, row) => {
  const findings = new Findings(WALLET);
  checkValues([{ pk: 'live#org', sk: 'LOT#1', ...row }], Date.parse('2026-05-20T00:00:00.000Z'), findings);
  expect(findings.all.map(({ kind }) => kind)).toEqual(['unreadable']);
});

test.each([
  ['openedAt', 'failedAt'],
  ['openedAt', 'mismatchedAt'],
  ['openedAt', 'creditedAt'],
  ['openedAt', 'resolvedAt'],
  ['mismatchedAt', 'resolvedAt'],
  ['creditedAt', 'reversedAt'],
  ['reversedAt', 'at'],
  ['requestedAt', 'doneAt'],
])('a time before the event that it follows is reported: %s, %s', (first, later) => {
  const foundAt = (time: string) => {
    const findings = new Findings(WALLET);
    const row = { pk: 'live#org', sk: 'ROW', [first]: '2026-05-10T00:00:00.000Z', nested: { [later]: time } };
    checkValues([row], Date.parse('2026-05-20T00:00:00.000Z'), findings);
    return findings.all.map(({ expected }) => expected);
  };
  expect(foundAt('2026-03-10T00:00:00.000Z')).toEqual([`${later}: a time after ${first}`]);
  // Clocks differ.
  expect(foundAt('2026-05-09T23:50:00.000Z')).toEqual([]);
});

test('amounts that may be negative, and times that may be later, are not reported', () => {
  const findings = new Findings(WALLET);
  const rows = [
    { pk: 'live#org', sk: 'CLOSE#2026-04', figures: { corrected: -5 } },
    {
      pk: 'live#org',
      sk: 'ORDER',
      expiresAt: '2026-06-01T00:00:00.000Z',
      paidAt: '2026-05-19T10:00:00+01:00',
    },
    { pk: 'PRICES#org', sk: '2099', from: '2099-01-01T00:00:00.000Z', koboPerCredit: null },
  ];
  checkValues(rows, Date.parse('2026-05-20T00:00:00.000Z'), findings);
  expect(findings.all).toEqual([]);
});

test('rows of unknown organisations and series are reported', () => {
  const findings = new Findings(WALLET);
  const rowsOf = (id: string) => [
    ...['ORG', 'AUTOMATIC', 'PRICES', 'live', 'test'].map((kind) => ({ pk: `${kind}#${id}`, sk: 'ROW' })),
    { pk: 'live#TOPUP#BANK-1', sk: 'ORDER', organisationId: id, ordersKey: `live#${id}` },
    { pk: `COUNTER#${id}`, sk: 'COUNTER' },
  ];
  const shared = [
    { pk: 'PRICES#STAGE', sk: 'ROW' },
    { pk: 'live#TOPUP#hash', sk: 'KEY' },
  ];
  checkOwners([...shared, ...rowsOf(ID)], [WALLET], new Set([ID]), findings);
  expect(findings.all).toEqual([]);
  const unlisted = { pk: 'live#TOPUP#BANK-2', sk: 'ORDER', organisationId: ID };
  const unknown = [...rowsOf('ghost'), unlisted, { pk: 'OTHER', sk: 'ROW' }];
  checkOwners(unknown, [WALLET], new Set([ID]), findings);
  expect(findings.all.map(({ kind }) => kind)).toEqual(unknown.map(() => 'unknown-wallet'));
});
