import type { Row } from '../../shared/core/database.ts';
import {
  automaticTopUpKey,
  counterKey,
  DUE_REVIEW,
  NEVER_DUE,
  orderKey,
  ordersIndexKey,
  organisationKey,
  priceKey,
  sortByTime,
} from '../../shared/core/keys.ts';
import { TRANSFER_MS } from '../../shared/payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../shared/payments/orders/order.ts';
import { dueOfOrder } from '../../shared/payments/orders/order-table.ts';
import { type PlantedEdit, rowFinder, type StoredRow } from './planted-edits.ts';

/** Edits of impossible values, and of rows that belong to nobody. */

const FUTURE = '2099-01-15T10:00:00.000Z';
const OLD = '2026-03-15T00:00:00.000Z';
const TOMORROW = '2026-05-21T00:00:00.000Z';
const UNKNOWN = 'nobody';
const PAYMENT = {
  ...{ amountKobo: 1, currency: 'NGN', paidAt: '2026-05-15T10:00:00.000Z' },
  ...{ channel: 'card', providerReference: '7' },
};

export function editsOfKinds(rows: readonly StoredRow[]): PlantedEdit[] {
  const find = rowFinder(rows);
  const edit = (target: string, name: string, ...changes: PlantedEdit['changes']): PlantedEdit => ({
    target,
    edit: name,
    changes,
  });
  const changed = (before: StoredRow, values: Row) => ({ before, after: like(before, values) });
  const like = ({ tableName, row }: StoredRow, values: Row): StoredRow => {
    const kept = Object.entries({ ...row, ...values }).filter(([, value]) => value !== undefined);
    return { tableName, row: Object.fromEntries(kept) };
  };
  const inserted = (row: StoredRow) => ({ before: undefined, after: row });
  const organisation = find(({ sk }) => sk === 'ORG');
  const id = String(organisation.row['id']);
  const price = find(({ pk }) => pk === priceKey(undefined, '').pk);
  const priced = (owner: string | undefined, from: string, createdAt: string) =>
    inserted(like(price, { ...priceKey(owner, from), from, createdAt, koboPerCredit: 1 }));
  const billing = find(({ sk }) => sk === 'BILLING');
  const counter = find(({ pk }) => pk === counterKey('IDV-2026').pk);
  const reference = find(({ sk }) => sk === 'REFERENCE');
  const shard = find(({ sk, available }) => sk === 'WALLET' && Number(available) > 0);
  const charge = find(
    ({ sk, state, decidedAt }) => sk === 'CHARGE' && state === 'CHARGED' && String(decidedAt) > '2026-05-10',
  );
  const cost = Number(charge.row['cost']);
  const resealed = (month: string): PlantedEdit => {
    const one = find(
      ({ sk, state, decidedAt }) =>
        sk === 'CHARGE' && state === 'CHARGED' && String(decidedAt).startsWith(month),
    );
    return {
      ...edit(`charge, ${month}`, 'of another key, with its seal', changed(one, { keyLabel: 'other' })),
      reseals: true,
    };
  };
  const orderIn = (wanted: string) =>
    find(({ sk, state, openedAt }) => sk === 'ORDER' && state === wanted && String(openedAt) > '2026-05');
  const automatic = (owner: string, values: Row = {}) =>
    inserted({ tableName: 'Payments', row: { ...automaticOf(owner), ...values } });
  const saved = find(({ sk }) => sk === 'AUTOMATIC');
  const ofAutomatic = (name: string, values: Row) => edit('automatic top-up', name, changed(saved, values));
  const closing = find(({ sk }) => sk === 'CLOSE#2026-04');
  const refund = find(
    ({ sk, method, state }) => /^REFUND#/.test(String(sk)) && method === 'TRANSFER' && state === 'DONE',
  );
  const unpaid = find(({ sk, state }) => sk === 'ORDER' && state === 'OPENED');
  const note = `${refund.row['creditNote']}9`;
  const open = { state: 'REQUESTED', doneAt: undefined, paidBackBy: undefined };
  const { pk, reference: order } = unpaid.row;
  return [
    edit(
      'refund, TRANSFER',
      'with a problem',
      changed(refund, { problem: 'Pay GTBank 0123456789.', ...reviewed(refund.row['creditNote']) }),
    ),
    edit(
      'refund, TRANSFER',
      'to be paid again',
      changed(refund, { ...open, ...reviewed(refund.row['creditNote']) }),
    ),
    edit(
      'refund, TRANSFER',
      'inserted at an unpaid order',
      inserted(
        like(refund, { ...open, ...reviewed(note), pk, order, sk: `REFUND#${note}`, creditNote: note }),
      ),
    ),
    ofAutomatic('charged in the next month', { month: '2026-06' }),
    ofAutomatic('charged an amount without an order', { month: '2026-05', monthKobo: 500 }),
    ofAutomatic('charging an order that is none', { charging: 'TOPUP-1' }),
    ofAutomatic('of another organisation', { organisationId: UNKNOWN }),
    ofAutomatic('not due', { dueKey: undefined, dueSort: undefined }),
    ofAutomatic('on, with the reason of a stop', { stopReason: 'declined' }),
    ofAutomatic('not paid back', { paidBackAt: undefined }),
    ofAutomatic('saved later', { changedAt: '2026-05-20T12:00:00.000Z' }),
    edit(
      'last closing',
      'being closed for the first time',
      changed(closing, { state: 'CLOSING', version: 1, figures: undefined, closedAt: undefined }),
    ),
    edit('price', 'inserted, of an old month', priced(id, TOMORROW, OLD)),
    edit('price', 'of the stage inserted, of an old month', priced(undefined, TOMORROW, OLD)),
    edit('shard', 'walletsKey changed', changed(shard, { walletsKey: 'WALLETS#none' })),
    edit('price', 'inserted, of a later time', priced(id, TOMORROW, FUTURE)),
    edit('price', 'of the stage inserted, of a later time', priced(undefined, TOMORROW, FUTURE)),
    edit('price', 'inserted, of another zone', priced(id, '2026-05-21T00:00:00+01:00', '2026-05-19')),
    edit('price', 'of nobody inserted', priced(UNKNOWN, TOMORROW, FUTURE)),
    edit(
      'billing details',
      'changed, of a later time',
      changed(billing, { taxNumber: '1', changedAt: FUTURE }),
    ),
    edit('organisation', 'price 0', changed(organisation, { prices: { 'nin-basic': 0 } })),
    edit('organisation', 'price changed', changed(organisation, { prices: { 'nin-basic': 7 } })),
    edit(
      'organisation',
      'inserted',
      inserted(
        like(organisation, {
          ...organisationKey(UNKNOWN),
          id: UNKNOWN,
          createdAt: '2026-05-18T00:00:00.000Z',
        }),
      ),
    ),
    edit('automatic top-up', 'inserted', automatic(id)),
    edit('automatic top-up', 'inserted, unreadable', automatic(id, { credits: 'many' })),
    edit('automatic top-up', 'of nobody inserted', automatic(UNKNOWN)),
    edit('counter', 'last of another type', changed(counter, { last: String(counter.row['last']) })),
    edit('counter', 'last with a fraction', changed(counter, { last: Number(counter.row['last']) + 0.5 })),
    edit('counter', 'issuedAt removed', changed(counter, { issuedAt: undefined })),
    edit('counter', 'of another series inserted', inserted(like(counter, counterKey('XYZ-2026')))),
    edit(
      'reference',
      'inserted',
      inserted(like(reference, { pk: 'live#REFERENCE#BANK-2026-0042', reference: 'BANK-2026-0042' })),
    ),
    edit('shard', 'moved changed', changed(shard, { moved: Number(shard.row['moved'] ?? 0) + 100 })),
    edit(
      'charge, 2026-05',
      'cost negative, with the balance',
      changed(charge, { cost: -cost }),
      changed(shard, { available: Number(shard.row['available']) + 2 * cost }),
    ),
    ...['2026-02', '2026-04'].map(resealed),
    ...editsOfOrder(orderIn('OPENED').row as TopUpOrder & Row).map(([name, values]) =>
      edit('order, this month', name, changed(orderIn('OPENED'), values)),
    ),
    edit('order, this month', 'deleted', { before: orderIn('OPENED') }),
    edit('order, this month', 'inserted', inserted(like(orderIn('OPENED'), copyOf(orderIn('OPENED').row)))),
    edit('order, FAILED', 'paid', changed(orderIn('FAILED'), { payment: PAYMENT })),
    edit('order, FAILED', 'failed before its opening', changed(orderIn('FAILED'), { failedAt: OLD })),
    edit(
      'order, CREDITED',
      'problem added',
      changed(orderIn('CREDITED'), { ...dueOfOrder({ problem: 'x' } as TopUpOrder), problem: 'x' }),
    ),
  ];
}

/** Each leaves an order that the service could have written. */
function editsOfOrder(order: TopUpOrder): (readonly [string, Row])[] {
  const { credits, netKobo, vatKobo, totalKobo, openedAt } = order;
  const wallet = { env: 'live', organisationId: UNKNOWN } as const;
  const [more, dueAt] = [100, new Date(Date.parse(openedAt) + TRANSFER_MS).toISOString()];
  const { dueAt: _, ...undue } = order;
  const mismatch = { ...undue, state: 'MISMATCH', problem: 'x', payment: PAYMENT } as const;
  const transfer = { method: 'TRANSFER', expiresAt: dueAt, dueAt, checkoutUrl: undefined } as const;
  return [
    ['of another organisation', { organisationId: UNKNOWN, ordersKey: ordersIndexKey(wallet) }],
    ['without an organisation', { ordersKey: undefined }],
    [
      'a hundred times as much',
      {
        credits: credits * more,
        netKobo: netKobo * more,
        vatKobo: vatKobo * more,
        totalKobo: totalKobo * more,
      },
    ],
    ['another checkout', { checkoutUrl: 'https://checkout.example/another' }],
    ['another return page', { returnUrl: 'https://another.example' }],
    ['by bank transfer', { ...transfer, ...dueOfOrder({ ...undue, dueAt }) }],
    ['paid, but not as ordered', { ...mismatch, dueAt: undefined, ...dueOfOrder(mismatch) }],
  ];
}

function copyOf({ openedAt }: Row): Row {
  const reference = 'TOPUP-01KQBWX8M00000000000000000';
  const ordersSort = sortByTime(String(openedAt), reference);
  return { ...orderKey('live', reference), reference, ordersSort, checkoutUrl: undefined };
}

const reviewed = (creditNote: unknown) => ({
  dueKey: DUE_REVIEW,
  dueSort: sortByTime(NEVER_DUE, String(creditNote)),
});

function automaticOf(organisationId: string): Row {
  return {
    ...automaticTopUpKey(organisationId),
    ...{ organisationId, state: 'ON', thresholdCredits: 100, credits: 500, monthlyCapKobo: 10_000_000 },
    ...{ changedAt: '2026-05-01T00:00:00.000Z', changedBy: 'ada', version: 1 },
  };
}
