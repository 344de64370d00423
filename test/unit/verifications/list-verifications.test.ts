import { describe, expect, test } from '@jest/globals';
import type { RejectedRequests } from '../../../shared/accounts/rejected-request-table.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { sortByTime } from '../../../shared/core/keys.ts';
import type { Outcome } from '../../../shared/core/outcome.ts';
import {
  type ListQuery,
  type ListTables,
  listVerifications,
} from '../../../shared/verifications/list-verifications.ts';
import type { ListedLog, SortRange } from '../../../shared/verifications/log-list-table.ts';

/** Tests that pages of the list of requests are complete, in order and bounded. */

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const WALLET = { env: 'live', organisationId: 'made-up' } as const;
const YEAR = { wallet: WALLET, from: '2025-11-22T00:00:00.000Z', to: new Date(NOW).toISOString() };

interface Row {
  readonly time: string;
  readonly id: string;
  readonly outcome?: Outcome;
  readonly reference?: string;
}

function tablesWith(rows: readonly Row[], rejected: readonly string[] = []) {
  const reads: string[] = [];
  const logOf = ({ time, id, outcome = 'FOUND', reference }: Row): ListedLog => ({
    kind: 'verification',
    sort: sortByTime(time, id),
    row: {
      ...{ pk: '', sk: '' },
      requestId: id,
      service: 'nin-basic',
      outcome,
      httpStatus: 200,
      creditsCharged: 1,
      provider: 'sandbox',
      keyLabel: 'backend',
      latencyMs: 12,
      requestedAt: time,
      expiresAt: NOW,
      ...(reference !== undefined && { reference }),
    },
  });
  const rejectedOf = (minute: string, index: number): RejectedRequests => ({
    kind: 'rejected',
    sort: sortByTime(minute, `INVALID_SCHEMA#${String(index).padStart(12, '0')}`),
    minute,
    rejected: 1,
    errorCode: 'INVALID_SCHEMA',
    keyLabel: 'backend',
    requestId: minute,
    route: 'nin-basic',
  });
  async function* descending<T extends { sort: string }>(
    name: string,
    entries: readonly T[],
    { from, before }: SortRange,
  ): AsyncGenerator<T> {
    reads.push(name);
    // DynamoDB rejects a BETWEEN whose lower bound exceeds its upper bound.
    if (from > before) throw new Error('The range ends before it begins.');
    const inRange = entries.filter(({ sort }) => sort >= from && sort < before);
    yield* inRange.sort((a, b) => (a.sort < b.sort ? 1 : -1));
  }
  const logs = rows.map(logOf);
  const tables: ListTables = {
    logs: {
      // Two partitions instead of the real ones.
      ofDay: (_, day, range) =>
        [0, 1].map((partition) =>
          descending(
            day,
            logs.filter(({ row }, index) => row.requestedAt.startsWith(day) && index % 2 === partition),
            range,
          ),
        ),
      ofReference: (_, reference, range) =>
        descending(
          reference,
          logs.filter(({ row }) => row.reference === reference),
          range,
        ),
    },
    rejectedRequests: {
      ofDay: (_, day, range) =>
        descending(
          `rejected ${day}`,
          rejected.filter((minute) => minute.startsWith(day)).map(rejectedOf),
          range,
        ),
    },
  };
  return { tables, reads };
}

async function pagesOf(query: ListQuery, limit: number, { tables, reads }: ReturnType<typeof tablesWith>) {
  const pages: { readonly ids: string[]; readonly reads: string[] }[] = [];
  let position: string | undefined;
  do {
    reads.length = 0;
    const page = await listVerifications(query, { limit, position }, tables, NOW);
    const entries = [...page.verifications, ...page.rejected];
    pages.push({ ids: entries.map(({ requestId }) => requestId), reads: [...reads] });
    position = page.next;
  } while (position !== undefined);
  return pages;
}

const at = (daysAgo: number, ms = 0) => new Date(NOW - daysAgo * DAY_MS - ms).toISOString();

describe('pages of the list of requests', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    time: at(index % 5, Math.floor(index / 10) * 1000),
    id: String(index).padStart(3, '0'),
  }));
  const sorted = [...rows]
    .sort((a, b) => (sortByTime(a.time, a.id) < sortByTime(b.time, b.id) ? 1 : -1))
    .map(({ id }) => id)
    .filter((id) => !['000', '005'].includes(id));

  test.each([1, 3, 7, 100])(
    'of %i entries contain each entry once and in order, across days and partitions',
    async (limit) => {
      const pages = await pagesOf(YEAR, limit, tablesWith(rows));
      // Two rows are at the time `to`, which is exclusive.
      expect(pages.flatMap(({ ids }) => ids)).toEqual(sorted);
      for (const { ids } of pages) expect(ids.length).toBeLessThanOrEqual(limit);
    },
  );

  test('read at most 31 days each, and every day once in total', async () => {
    const old = { time: at(360), id: 'old' };
    const pages = await pagesOf(YEAR, 50, tablesWith([old]));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(['old']);
    for (const page of pages)
      expect(new Set(page.reads.map((name) => name.slice(-10))).size).toBeLessThanOrEqual(31);
    const days = pages.flatMap(({ reads }) => reads.filter((name) => !name.startsWith('rejected')));
    expect(days).toHaveLength(2 * 366);
    expect(new Set(days).size).toBe(366);
  });

  test('end after reading 2,000 entries that a filter hides', async () => {
    const many = Array.from({ length: 4_500 }, (_, index) => ({ time: at(1, index), id: String(index) }));
    const pages = await pagesOf({ ...YEAR, from: at(2), outcome: 'NOT_FOUND' }, 10, tablesWith(many));
    expect(pages.map(({ ids }) => ids.length)).toEqual([0, 0, 0]);
  });
});

test('a reference is found in one read, however long ago its request was', async () => {
  const found = { time: at(300), id: 'found', reference: 'customer-4711' };
  const hidden = { ...found, id: 'hidden', outcome: 'ERROR' } as const;
  const tables = tablesWith([found, hidden, { ...found, id: 'other', reference: 'customer-4712' }]);
  const query = { ...YEAR, reference: 'customer-4711', outcome: 'FOUND' } as const;
  expect(await pagesOf(query, 50, tables)).toEqual([{ ids: ['found'], reads: ['customer-4711'] }]);
});

describe('rejected requests in the list', () => {
  const minutes = [at(0, 60_000), at(6), at(1)];

  test('are listed by time with the others, and only for the last 7 days', async () => {
    const row = { time: at(3), id: 'between' };
    const pages = await pagesOf({ ...YEAR, from: at(20) }, 1, tablesWith([row], minutes));
    expect(pages.flatMap(({ ids }) => ids)).toEqual([minutes[0], minutes[2], 'between', minutes[1]]);
    const days = pages.flatMap(({ reads }) => reads.filter((name) => name.startsWith('rejected')));
    expect([...new Set(days)].sort()[0]).toBe('rejected 2026-11-15');
  });

  test('are listed alone with the outcome REJECTED, without a read of other tables', async () => {
    const pages = await pagesOf(
      { ...YEAR, outcome: 'REJECTED' },
      50,
      tablesWith([{ time: at(1), id: 'x' }], minutes),
    );
    expect(pages.map(({ ids }) => ids)).toEqual([[minutes[0], minutes[2], minutes[1]]]);
    expect(pages[0]?.reads.filter((name) => !name.startsWith('rejected'))).toEqual([]);
  });

  test('in the minute of `from` are included', async () => {
    const from = at(1, -30_000);
    const pages = await pagesOf({ ...YEAR, from, outcome: 'REJECTED' }, 50, tablesWith([], minutes));
    expect(pages.flatMap(({ ids }) => ids)).toEqual([minutes[0], minutes[2]]);
  });

  test.each([undefined, 'REJECTED'] as const)(
    'in the minute of `from` are complete if a page ends among them (outcome %s)',
    async (outcome) => {
      const [minute] = minutes;
      const query = { ...YEAR, from: at(0, 30_000), outcome };
      const pages = await pagesOf(query, 1, tablesWith([], Array(3).fill(minute)));
      expect(pages.flatMap(({ ids }) => ids)).toEqual([minute, minute, minute]);
    },
  );

  test('in the minute of an empty range are not listed', async () => {
    const from = at(0, 30_000);
    const pages = await pagesOf({ ...YEAR, from, to: from }, 50, tablesWith([], minutes));
    expect(pages.map(({ ids }) => ids)).toEqual([[]]);
  });

  test.each([{ service: 'nin-basic' }, { reference: 'customer-4711' }, { outcome: 'FOUND' }] as const)(
    'are not listed with the filter %j',
    async (filter) => {
      const pages = await pagesOf({ ...YEAR, from: at(20), ...filter }, 50, tablesWith([], minutes));
      expect(pages.map(({ ids }) => ids)).toEqual([[]]);
    },
  );
});
