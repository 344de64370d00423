import { expect, test } from '@jest/globals';
import { accountingMonthOf, dayPlus } from '../../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { checkMonths } from '../../../shared/ledger/reconcile/check-months.ts';
import {
  type ClosedMonthFacts,
  type ClosedMonthSource,
  compareMonths,
  NO_LINES,
} from '../../../shared/ledger/reconcile/closed-months.ts';
import { newHead } from '../../../shared/ledger/reconcile/seal.ts';
import type { WalletCheck } from '../../../shared/ledger/reconcile/wallet-check.ts';
import { lineHash } from '../../../shared/ledger/statement/statement.ts';

test.each(['customer00', 'aaaaaaaaaa'])('each month of %s is computed again within 28 days', async (id) => {
  const scope = { wallet: { env: 'live', organisationId: id }, shards: 1, createdAt: '2026-01-01' };
  const latest = new Map<string, number>();
  const gaps: number[] = [];
  const ranges: unknown[] = [];
  let nowMs = Date.parse('2026-03-05T12:00:00.000Z');
  const facts = { ...NO_LINES, startedAt: '', figures: '' };
  const closedMonths: ClosedMonthSource = {
    listClosedMonths: async (_, range) => {
      ranges.push(range);
      return ['2026-01', '2026-02']
        .filter((month) => range && month >= range.from && month <= range.to)
        .map((month): ClosedMonthFacts => ({ ...facts, month }));
    },
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
  // The sums of the current month and of two before it are compared every day.
  expect(ranges).toContainEqual({ from: '2026-06', to: '2026-08' });
  expect(Math.max(...gaps)).toBeLessThanOrEqual(28 * DAY_MS);
});

test('a month is computed again if a value of one of its lines changed, although the sums agree', async () => {
  const debit = { requestId: 'req', service: 'nin-basic', keyLabel: 'server', provider: 'dojah' };
  const line = { sort: '2026-01-05', createdAt: '', id: '', amount: -3, debit };
  const changed = [
    { ...line, sort: '2026-01-06' },
    { ...line, amount: -2 },
  ];
  const ofDebit = Object.keys(debit).map((name) => ({ ...line, debit: { ...debit, [name]: 'other' } }));
  const recomputed: string[] = [];
  const source = {
    listClosedMonths: async () => [],
    recomputeMonth: async (_: unknown, month: string) => void recomputed.push(month),
  };
  const scope = { wallet: { env: 'live', organisationId: 'aaaaaaaaaa' }, shards: 1, createdAt: '' } as const;
  for (const stored of [line, ...changed, ...ofDebit]) {
    const facts = { ...NO_LINES, month: '2026-01', startedAt: '', figures: '', linesXor: lineHash(stored) };
    const tallies = { '2026-01': { ...NO_LINES, linesXor: lineHash(line) } };
    expect(await compareMonths(scope, [facts], tallies, source as ClosedMonthSource, false)).toEqual([]);
  }
  expect(recomputed).toHaveLength(changed.length + ofDebit.length);
});
