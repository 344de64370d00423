import { expect, test } from '@jest/globals';
import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { listRequests } from '../../../shared/verifications/routes/verifications.ts';
import { caller, countingDependencies, invoke } from '../../security/in-process.ts';

/** Tests how far back the list of requests reads. */

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const RETENTION_DAYS = 20;

const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

async function earliestRead(organisationDays: number, query: Readonly<Record<string, string[]>> = {}) {
  const who = caller('live', { organisation: { createdAt: daysAgo(organisationDays) } });
  const deps = countingDependencies([who]);
  const reads: string[] = [];
  const tables = {
    logs: {
      ofDay: (_wallet: unknown, _day: string, { from }: { readonly from: string }) => {
        reads.push(from);
        return [];
      },
      ofReference: async function* () {},
    },
    log: { ofKey: async () => [] },
    charges: { getCharges: async () => [] },
    idempotency: { find: async () => new Map() },
    rejectedRequests: deps.rejectedRequests,
    clock: { ...deps.clock, nowMs: () => NOW },
    retentionDays: RETENTION_DAYS,
  };
  const handler = keyedRoute('verifications', 'verification:read', listRequests(tables), deps);
  expect((await invoke(handler, { key: who.text, query })).statusCode).toBe(200);
  return reads.sort()[0];
}

test('no list reads rows that are older than the retention period', async () => {
  expect(await earliestRead(300)).toBe(daysAgo(RETENTION_DAYS));
  expect(await earliestRead(300, { from: ['2026-01-01'] })).toBe(daysAgo(RETENTION_DAYS));
});

test('the list of a new organisation begins a day before its creation', async () => {
  expect(await earliestRead(3)).toBe(daysAgo(4));
});
