import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RejectedRequests } from '../../../shared/accounts/rejected-request-table.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { sortByTime } from '../../../shared/core/keys.ts';
import { OUTCOMES } from '../../../shared/core/outcome.ts';
import type { ListedLog } from '../../../shared/verifications/log-list-table.ts';
import type { ListPart } from '../../../shared/verifications/log-part-table.ts';
import {
  type ReadQuery,
  type ReadTables,
  readFirstStep,
  readPage,
} from '../../../shared/verifications/read-list.ts';

/**
 * Tests that pages of the console's list are complete, ordered and bounded, repeat no entry, and are read in at most
 * two steps.
 */

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const QUERY: ReadQuery = {
  wallet: { env: 'live', organisationId: 'made-up' },
  from: new Date(NOW - 30 * DAY_MS).toISOString(),
  to: new Date(NOW).toISOString(),
};

interface Row {
  readonly agoMs: number;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly key: string;
  readonly reference?: string;
}

const timeOf = (agoMs: number) => new Date(NOW - agoMs).toISOString();

function logOf({ agoMs, outcome, key, reference }: Row, index: number): ListedLog {
  const requestedAt = timeOf(agoMs);
  return {
    kind: 'verification',
    sort: sortByTime(requestedAt, String(index).padStart(6, '0')),
    row: {
      ...{ pk: '', sk: '' },
      requestId: `log-${index}`,
      service: 'nin-basic',
      outcome,
      httpStatus: 200,
      creditsCharged: 1,
      provider: 'sandbox',
      keyLabel: key,
      latencyMs: 12,
      requestedAt,
      expiresAt: NOW,
      ...(reference !== undefined && { reference }),
    },
  };
}

function rejectedOf(agoMs: number, index: number): RejectedRequests {
  const minute = `${timeOf(agoMs).slice(0, 16)}:00.000Z`;
  return {
    kind: 'rejected',
    sort: sortByTime(minute, `INVALID_SCHEMA#${String(index).padStart(6, '0')}`),
    minute,
    rejected: 1,
    errorCode: 'INVALID_SCHEMA',
    keyLabel: 'backend',
    requestId: `rejected-${index}`,
    route: 'nin-basic',
  };
}

/** Returns in-memory tables with two partitions of logs, and the numbers of calls and of rows that were read. */
function tablesWith(rows: readonly Row[], rejected: readonly number[] = []) {
  const seen = { calls: 0, rows: 0 };
  const logs = rows.map(logOf);
  const rejections = rejected.map(rejectedOf);
  async function part<T extends { sort: string }>(
    entries: readonly T[],
    { from, before }: { from: string; before: string },
    mostRead: number,
    isWanted: (entry: T) => boolean,
  ): Promise<ListPart<T>> {
    seen.calls += 1;
    const inRange = entries.filter(({ sort }) => sort >= from && sort <= before);
    const read = inRange.sort((a, b) => (a.sort < b.sort ? 1 : -1)).slice(0, mostRead);
    seen.rows += read.length;
    return {
      entries: read.filter((entry) => entry.sort < before && isWanted(entry)),
      readTo: read.length < inRange.length ? read.at(-1)?.sort : undefined,
    };
  }
  const tables: ReadTables = {
    logs: {
      readDay: (_, day, range, { outcome, key, mostRead }) =>
        [0, 1].map((partition) =>
          part(
            logs.filter(({ row }, index) => row.requestedAt.startsWith(day) && index % 2 === partition),
            range,
            mostRead,
            ({ row }) => row.outcome === (outcome ?? row.outcome) && row.keyLabel === (key ?? row.keyLabel),
          ),
        ),
      readReference: (_, reference, range, { outcome, mostRead }) =>
        part(
          logs.filter(({ row }) => row.reference === reference),
          range,
          mostRead,
          ({ row }) => row.outcome === (outcome ?? row.outcome),
        ),
    },
    rejectedRequests: {
      readRejected: (_, day, range, { key, mostRead }) =>
        part(
          rejections.filter(({ minute }) => minute.startsWith(day)),
          range,
          mostRead,
          ({ keyLabel }) => keyLabel === (key ?? keyLabel),
        ),
    },
  };
  return { tables, seen };
}

async function pagesOf(query: ReadQuery, limit: number, { tables, seen }: ReturnType<typeof tablesWith>) {
  const pages: { readonly ids: readonly string[]; readonly calls: number; readonly rows: number }[] = [];
  let before: string | undefined = query.to;
  while (before !== undefined) {
    Object.assign(seen, { calls: 0, rows: 0 });
    const first = await readFirstStep(query, { limit, before }, tables, NOW);
    const { entries, next } = await readPage(query, first, limit, tables, NOW);
    const ids = entries.map((entry) => (entry.kind === 'rejected' ? entry.requestId : entry.row.requestId));
    pages.push({ ids, ...seen });
    before = next;
  }
  return pages;
}

const row = fc.record({
  agoMs: fc.integer({ min: 0, max: 29 * DAY_MS }),
  outcome: fc.constantFrom(...OUTCOMES),
  key: fc.constantFrom('backend', 'batch'),
});

test('every entry of any list is on exactly one page, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 6 * DAY_MS }), { maxLength: 20 }),
      fc.record({
        outcome: fc.constantFrom(undefined, 'FOUND' as const, 'REJECTED' as const),
        key: fc.constantFrom(undefined, 'backend', 'batch'),
      }),
      fc.integer({ min: 1, max: 20 }),
      async (rows, rejected, filter, limit) => {
        const query = { ...QUERY, ...filter };
        const pages = await pagesOf(query, limit, tablesWith(rows, rejected));
        const { outcome, key } = filter;
        const wanted = [
          ...rows
            .map(logOf)
            .filter(({ row: { outcome: one } }) => outcome === undefined || one === outcome)
            .filter(({ row: { keyLabel } }) => keyLabel === (key ?? keyLabel))
            .map(({ sort, row: { requestId } }) => ({ sort, requestId })),
          ...rejected
            .map(rejectedOf)
            .filter(({ keyLabel }) => outcome !== 'FOUND' && keyLabel === (key ?? keyLabel)),
        ].filter(({ sort }) => sort < query.to);
        const sorted = wanted.sort((a, b) => (a.sort < b.sort ? 1 : -1)).map(({ requestId }) => requestId);

        expect(pages.flatMap(({ ids }) => ids)).toEqual(sorted);
        expect(pages.filter(({ ids }) => ids.length > limit)).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

const busy = (count: number, agoMs: (index: number) => number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ agoMs: agoMs(index), outcome: 'FOUND', key: 'backend', reference: 'customer-7' },
  }));

describe("a page of the console's list", () => {
  test('of a busy day reads one more row than it shows from each partition, and nothing from other days', async () => {
    const tables = tablesWith(busy(2_000, (index) => (index + 1) * 1_000));
    const [first] = await pagesOf(QUERY, 50, tables);

    expect(first).toMatchObject({ calls: 3, rows: 102 });
    expect(first?.ids).toHaveLength(50);
  });

  test('of a quiet month reads eight days at once', async () => {
    const pages = await pagesOf(QUERY, 50, tablesWith(busy(29, (index) => index * DAY_MS + 1)));

    expect(pages.map(({ ids }) => ids.length)).toEqual([8, 8, 8, 5]);
    expect(Math.max(...pages.map(({ calls }) => calls))).toBe(8 * 3);
  });

  test('of a filter that finds nothing ends after a bounded read and can be continued', async () => {
    const rows = busy(12_000, (index) => index * 5_000 + 1);
    const pages = await pagesOf({ ...QUERY, outcome: 'ERROR' }, 50, tablesWith(rows));

    expect(pages.flatMap(({ ids }) => ids)).toEqual([]);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(12);
    expect(Math.max(...pages.map((page) => page.rows))).toBeLessThanOrEqual(2_400);
  });

  test('of a reference takes one call', async () => {
    const pages = await pagesOf(
      { ...QUERY, reference: 'customer-7' },
      50,
      tablesWith(busy(60, (index) => index * DAY_MS * 0.4 + 1)),
    );

    expect(pages.map(({ ids, calls }) => [ids.length, calls])).toEqual([
      [50, 1],
      [10, 1],
    ]);
  });
});
