import { expect, test } from '@jest/globals';
import { accountingMonthOf, dayPlus } from '../../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { checkMonths } from '../../../shared/ledger/reconcile/check-months.ts';
import type { ClosedMonthFacts, ClosedMonthSource } from '../../../shared/ledger/reconcile/closed-months.ts';
import { NO_LINES } from '../../../shared/ledger/reconcile/closed-months.ts';
import { newHead } from '../../../shared/ledger/reconcile/seal.ts';
import type { WalletCheck } from '../../../shared/ledger/reconcile/wallet-check.ts';

test.each(['customer00', 'aaaaaaaaaa'])('each month of %s is computed again within 28 days', async (id) => {
  const scope = { wallet: { env: 'live', organisationId: id }, shards: 1, createdAt: '2026-01-01' };
  const latest = new Map<string, number>();
  const gaps: number[] = [];
  let nowMs = Date.parse('2026-03-05T12:00:00.000Z');
  const facts = { ...NO_LINES, startedAt: '', figures: '' };
  const closedMonths: ClosedMonthSource = {
    listClosedMonths: async (_, range) =>
      ['2026-01', '2026-02']
        .filter((month) => range && month >= range.from && month <= range.to)
        .map((month): ClosedMonthFacts => ({ ...facts, month })),
    recomputeMonth: async (_, month) => {
      gaps.push(nowMs - (latest.get(month) ?? nowMs));
      latest.set(month, nowMs);
      return undefined;
    },
  };
  const source = { closedMonths, seals: { async *seals() {} } };
  let head = newHead('');
  for (let day = 0; day < 200; day += 1, nowMs += DAY_MS) {
    const sealedUntil = dayPlus('2026-03-05', day);
    head = { ...head, sealedUntil, total: { ...head.total, days: 64 + day } };
    const check = { source, scope, head, clock: { nowMs: () => nowMs }, settings: {} } as unknown;
    head = { ...head, ...(await checkMonths(check as WalletCheck, [])).head };
  }
  expect([...latest.keys()].sort()).toEqual(['2026-01', '2026-02']);
  expect(accountingMonthOf(nowMs)).toBe('2026-09');
  expect(Math.max(...gaps)).toBeLessThanOrEqual(28 * DAY_MS);
});
