import type { Row } from '../../shared/core/database.ts';
import { automaticTopUpKey, counterKey, organisationKey, priceKey } from '../../shared/core/keys.ts';
import { type PlantedEdit, rowFinder, type StoredRow } from './planted-edits.ts';

/** Edits of impossible values, and of rows that belong to nobody. */

const FUTURE = '2099-01-15T10:00:00.000Z';
const TOMORROW = '2026-05-21T00:00:00.000Z';
const UNKNOWN = 'nobody';

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
  const automatic = (owner: string, values: Row = {}) =>
    inserted({ tableName: 'Payments', row: { ...automaticOf(owner), ...values } });
  return [
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
  ];
}

function automaticOf(organisationId: string): Row {
  return {
    ...automaticTopUpKey(organisationId),
    ...{ organisationId, state: 'ON', thresholdCredits: 100, credits: 500, monthlyCapKobo: 10_000_000 },
    ...{ changedAt: '2026-05-01T00:00:00.000Z', changedBy: 'ada', version: 1 },
  };
}
