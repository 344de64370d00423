import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import {
  listStatement,
  readOpening,
  type StatementDependencies,
  statementQuery,
} from '../../../shared/ledger/console/statement.ts';
import type { StatementView } from '../../../shared/ledger/console/views.ts';
import type { KnownBalance } from '../../../shared/ledger/statement/read-statement.ts';
import type { StatementEntry } from '../../../shared/ledger/statement/statement.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import type { DayBalanceRow } from '../../../shared/usage/rows.ts';
import { type MemoryConsole, memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';
import { inventedLot } from '../payments/invented-lots.ts';

/** The opening balance of a month of the statement, and the lines that are read for it. */

const CREATED = '2026-08-03T09:00:00.000Z';
/** The first instant of November in Lagos. */
const START = '2026-10-31T23:00:00.000Z';

const line = (createdAt: string, amount: number): StatementEntry => ({
  sort: `${createdAt}#${amount}`,
  createdAt,
  id: `line-${createdAt}`,
  amount,
  credit: { kind: 'TOP_UP', reason: '', actor: 'test', effectiveAt: createdAt },
});
const LINES = [
  line('2026-09-10T10:00:00.000Z', 100),
  line('2026-10-31T22:59:59.999Z', 20),
  line(START, 3),
  line('2026-11-02T10:00:00.000Z', 4),
  line('2026-11-20T10:00:00.000Z', 5),
];

let service: MemoryConsole;
let organisation: Organisation;
let months: string[];
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  organisation = service.newOrganisation({ createdAt: CREATED });
  months = [];
});

interface Known {
  readonly closed?: KnownBalance;
  readonly counted?: DayBalanceRow;
}

async function statement(query: Record<string, string>, { closed, counted }: Known = {}) {
  const deps: StatementDependencies = {
    statement: {
      async *entries(_wallet, month, _shard, first, last) {
        months.push(month);
        for (const one of LINES)
          if (one.createdAt.startsWith(month) && one.sort >= first && one.sort <= last) yield one;
      },
    },
    findBalance: async () => closed,
    lots: { listLots: async () => [inventedLot('A', START, { credits: 3, reference: `line-${START}` })] },
    usage: { readBalance: async (_wallet, day) => (counted?.day === day ? counted : undefined) },
    nowMs: () => service.clock.nowMs,
  };
  const person = service.newPerson();
  service.newMember(person, organisation, 'finance');
  const handler = consoleRoute(
    'list-statement',
    listStatement(deps),
    { query: statementQuery, prefetch: readOpening(deps) },
    service.deps,
  );
  const browser = service.newSession(person, organisation);
  return service.send(handler, 'list-statement', browser, { query: { env: 'live', ...query } });
}

const viewOf = async (...input: Parameters<typeof statement>): Promise<StatementView> =>
  (await statement(...input)).json.data;

const counted = (countedAt: string): DayBalanceRow => ({
  day: '2026-10-31',
  balance: 120,
  used: 0,
  countedAt,
});

describe('a month of the statement', () => {
  test('is a month in Lagos, by default the current one', async () => {
    const view = await viewOf({});
    expect(view).toMatchObject({ opening_balance: 120, closing_balance: 132 });
    expect(view.lines.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
      [3, 123],
      [4, 127],
      [5, 132],
    ]);
    const october = await viewOf({ month: '2026-10' });
    expect(october).toMatchObject({ opening_balance: 100, closing_balance: 120 });
    expect(october.lines.map(({ amount }) => amount)).toEqual([20]);
  });

  test('begins with the line of a time in it, with the balance of the day before or of the one before that', async () => {
    const from = '2026-11-20T10:00:00.000Z';
    const day = { day: '2026-11-19', balance: 127, used: 0, countedAt: '2026-11-19T23:10:00.000Z' };
    const ofDay = { counted: day };
    const ofEarlierDay = { counted: { ...day, day: '2026-11-18' } };
    const [ofMonth, ...others] = [await viewOf({ from }), await viewOf({ from }, ofDay)];
    expect(ofMonth).toMatchObject({ opening_balance: 127, closing_balance: 132, lines: [{ amount: 5 }] });
    expect([...others, await viewOf({ from }, ofEarlierDay)]).toEqual([ofMonth, ofMonth]);
    const other = await statement({ month: '2026-10', from });
    expect([other.status, other.json.error.field]).toEqual([400, 'from']);
  });

  test('states what a live top-up cost', async () => {
    const paid = ({ lines }: StatementView) => lines.map(({ net_kobo }) => net_kobo);
    expect(paid(await viewOf({}))).toEqual([300, null, null]);
    expect(paid(await viewOf({ env: 'test' }))).toEqual([null, null, null]);
  });

  test('states on a later page what its charges cost, unless the cursor does not say which lots were used', async () => {
    const charge = { amount: -2, createdAt: '2026-11-03T10:00:00.000Z', sort: '2026-11-03T10:00:00.000Z#1' };
    const debit = { requestId: 'req', service: 'nin-basic', keyLabel: '', provider: '' };
    const { credit: _, ...entry } = line(charge.createdAt, -2);
    LINES.splice(4, 0, { ...entry, ...charge, debit });
    const { next_cursor } = await viewOf({ limit: '2' });
    const netOf = async (cursor: string | null) =>
      (await viewOf({ cursor: cursor ?? '' })).lines[0]?.net_kobo;
    const parts = JSON.parse(Buffer.from(next_cursor ?? '', 'base64url').toString()).slice(0, 3);
    const older = Buffer.from(JSON.stringify(parts)).toString('base64url');
    const nets = [await netOf(next_cursor), await netOf(older)];
    LINES.splice(4, 1);
    expect(nets).toEqual([200, null]);
  });

  test('begins with the balance of the closed month before it and reads no earlier lines', async () => {
    const view = await viewOf({}, { closed: { at: START, balance: 120 } });
    expect(view).toMatchObject({ opening_balance: 120, closing_balance: 132 });
    expect(months).toEqual(['2026-10', '2026-11']);
  });

  test('begins with the balance of the previous day if the day was counted at least 10 minutes after its end', async () => {
    const view = await viewOf({}, { counted: counted('2026-10-31T23:10:00.000Z') });
    expect(view).toMatchObject({ opening_balance: 120, closing_balance: 132 });
    expect(months).toEqual(['2026-10', '2026-11']);
  });

  test('adds up the lines if the previous day was counted less than 10 minutes after its end', async () => {
    const early = { ...counted('2026-10-31T23:09:59.999Z'), balance: 7 };
    const closed = { at: '2026-09-30T23:00:00.000Z', balance: 100 };
    expect(await viewOf({}, { counted: early, closed })).toMatchObject({ opening_balance: 120 });
    expect(await viewOf({}, { counted: early })).toMatchObject({ opening_balance: 120 });
  });

  test('continues with the balance of the previous page', async () => {
    const first = await viewOf({ limit: '2' });
    const second = await viewOf({ limit: '2', cursor: first.next_cursor ?? '' });
    expect(first).toMatchObject({ opening_balance: 120, closing_balance: 127 });
    expect(second).toMatchObject({ opening_balance: 127, closing_balance: 132, next_cursor: null });
    expect([...first.lines, ...second.lines].map(({ amount }) => amount)).toEqual([3, 4, 5]);
    const other = await statement({ month: '2026-10', cursor: first.next_cursor ?? '' });
    expect([other.status, other.json.error.field]).toEqual([400, 'cursor']);
  });

  test('does not accept a cursor of another wallet', async () => {
    const { next_cursor } = await viewOf({ limit: '2' });
    const ofEnvironment = await statement({ env: 'test', cursor: next_cursor ?? '' });
    expect([ofEnvironment.status, ofEnvironment.json.error.field]).toEqual([400, 'cursor']);
    organisation = service.newOrganisation({ createdAt: CREATED });
    const ofOrganisation = await statement({ cursor: next_cursor ?? '' });
    expect([ofOrganisation.status, ofOrganisation.json.error.field]).toEqual([400, 'cursor']);
  });

  test.each(['2026-12', '2026-13', '1999-01', ''])('is rejected if it is %j', async (month) => {
    const { status, json } = await statement({ month });
    expect([status, json.error.field]).toEqual([400, 'month']);
  });
});
