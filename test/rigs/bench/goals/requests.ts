import { rejectedPartTable } from '../../../../shared/accounts/rejected-part-table.ts';
import { DAY_MS } from '../../../../shared/core/clock.ts';
import { connect } from '../../../../shared/core/database.ts';
import type { WalletId } from '../../../../shared/core/keys.ts';
import { logPartTable } from '../../../../shared/verifications/log-part-table.ts';
import { type ReadQuery, readFirstStep, readPage } from '../../../../shared/verifications/read-list.ts';
import { logEntry, logItem, putItems } from '../../../support/log-rows.ts';
import { inTurn, spreadOf } from '../measure.ts';
import { openStage } from '../stage/stage.ts';
import type { Line } from './goal.ts';

const DAYS = 30;
const LIMIT = 50;
const CHUNK = 5_000;
const SENT_AT_ONCE = 16;
const PROGRESS = 100_000;

/** The searches that are measured: the first page of each. */
const SEARCHES = {
  all: {},
  filtered: { outcome: 'FAILED', key: 'batch' },
  reference: { reference: 'customer-77' },
} as const satisfies Record<string, Partial<ReadQuery>>;

/**
 * Measures goal 15: how long the console waits until the database returns the first page of requests of an organisation
 * with this many log rows, spread over 30 days. One request in 500 matches the filter.
 */
export async function requestGoals(rounds: number, rows: number): Promise<Line[]> {
  const stage = await openStage({ isLarge: true });
  try {
    const client = connect();
    const wallet: WalletId = { env: 'live', organisationId: stage.organisationId };
    const nowMs = Date.now();
    for (let first = 0; first < rows; first += CHUNK) {
      const count = Math.min(CHUNK, rows - first);
      const items = Array.from({ length: count }, (_, place) => itemOf(wallet, first + place, rows, nowMs));
      await putItems(client, 'VerificationLogs', items, SENT_AT_ONCE);
      if (first > 0 && first % PROGRESS === 0) process.stderr.write(`${first} of ${rows} rows\n`);
    }
    const tables = {
      logs: logPartTable(client, 'VerificationLogs'),
      rejectedRequests: rejectedPartTable(client, 'ApiKeys'),
    };
    const timeOf = async (name: keyof typeof SEARCHES) => {
      const days = name === 'reference' ? DAYS : 7;
      const query: ReadQuery = {
        wallet,
        from: new Date(nowMs - days * DAY_MS).toISOString(),
        to: new Date(nowMs).toISOString(),
        ...SEARCHES[name],
      };
      const startedMs = performance.now();
      const first = await readFirstStep(query, { limit: LIMIT, before: query.to }, tables, nowMs);
      const { entries } = await readPage(query, first, LIMIT, tables, nowMs);
      if (entries.length === 0) throw new Error(`The search "${name}" found nothing.`);
      return performance.now() - startedMs;
    };
    const names = ['all', 'filtered', 'reference'] as const;
    const taken = await inTurn(names, rounds, timeOf);
    const many = rows.toLocaleString('en');
    const line = (goal: string, what: string, times: readonly number[]): Line => ({
      ...{ goal, what: `${what}, ${many} log rows`, reference: 'absolute, DynamoDB Local', unit: 'ms' },
      ...{ measured: spreadOf(times), goalValue: 300, failsAt: 1_500 },
    });
    return [
      line('15a', 'first page of requests in the console', taken.all),
      line('15b', 'first page with a filter that one request in 500 matches', taken.filtered),
      line('15c', 'search by reference', taken.reference),
    ];
  } finally {
    await stage.close();
  }
}

/** Returns a log row. The rows are spread evenly over the days. */
function itemOf(wallet: WalletId, index: number, rows: number, nowMs: number): object {
  const requestedAt = new Date(nowMs - 1 - Math.floor((index / rows) * DAYS * DAY_MS)).toISOString();
  const isWanted = index % 500 === 0;
  return logItem(
    logEntry(wallet, {
      requestedAt,
      ...(isWanted && { outcome: 'FAILED', creditsCharged: 0, keyLabel: 'batch' }),
      ...(index % 10 === 0 && { reference: `customer-${(index / 10) % 1_000}` }),
    }),
  );
}
