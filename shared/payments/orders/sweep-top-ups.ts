import { withDeadline } from '../../core/deadline.ts';
import { inParallel } from '../../core/in-parallel.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import type { OrderRef } from './order-table.ts';
import { postpone, settleTopUp } from './settle-top-up.ts';

/** The result of one sweep. */
interface TopUpSweep {
  /** Those that this sweep did not reach in time are still due in the next one. */
  due: number;
  /** Orders about which Paystack was asked, and those that failed. */
  asked: number;
  credited: number;
  failed: number;
}

const AT_ONCE = 8;
const MOST_ORDERS = 500;
const NEXT_ORDERS = 20;
/** Work that has begun ends in time, because calls to Paystack and the tables have timeouts. */
const BEGIN_WITHIN_MS = 25_000;
/** The function times out after 50 s. */
const SWEEP_WITHIN_MS = 45_000;

type OnFailure = (error: unknown, order: OrderRef) => void;

/**
 * Settles due orders in the order of `listDue`, whether or not a webhook arrived, and asks about unpaid ones less and less often
 * (`nextAskAt`). If Paystack was asked about none, asks about the next one, so that an outage is noticed while any order
 * is open. Calls `onFailure` for each order that failed, and continues.
 */
export async function sweepTopUps(
  deps: TopUpDependencies | undefined,
  onFailure: OnFailure,
): Promise<TopUpSweep> {
  if (!deps) return { due: 0, asked: 0, credited: 0, failed: 0 };
  const startMs = deps.clock.nowMs();
  const startIso = new Date(startMs).toISOString();
  const due = await deps.orders.listDue(startIso, MOST_ORDERS);
  const report: TopUpSweep = { due: due.length, asked: 0, credited: 0, failed: 0 };
  const sweeping = inParallel(due, AT_ONCE, async (ref) => {
    if (deps.clock.nowMs() >= startMs + BEGIN_WITHIN_MS) return;
    await sweepOrder(ref, report, startIso, deps, onFailure);
  });
  await withDeadline(sweeping, startMs + SWEEP_WITHIN_MS, deps.clock.nowMs(), () => undefined);
  const isInTime = deps.clock.nowMs() < startMs + BEGIN_WITHIN_MS;
  if (report.asked === 0 && isInTime) await askAboutNext(report, startIso, deps, onFailure);
  return report;
}

async function askAboutNext(
  report: TopUpSweep,
  startIso: string,
  deps: TopUpDependencies,
  onFailure: OnFailure,
): Promise<void> {
  for (const ref of await deps.orders.listNext(NEXT_ORDERS)) {
    // Transfers ask nothing.
    if (report.asked > 0) return;
    await sweepOrder(ref, report, startIso, deps, onFailure);
  }
}

async function sweepOrder(
  ref: OrderRef,
  report: TopUpSweep,
  startIso: string,
  deps: TopUpDependencies,
  onFailure: OnFailure,
): Promise<void> {
  const { env, reference } = ref;
  try {
    const order = await settleTopUp(env, reference, deps, { recheck: true });
    if (order?.method === 'PAYSTACK') report.asked += 1;
    if (order?.creditedAt !== undefined && order.creditedAt >= startIso) report.credited += 1;
    if (order) await postpone(order, deps, true);
  } catch (error) {
    report.asked += 1;
    report.failed += 1;
    onFailure(error, ref);
    await postponeFailed(ref, deps).catch(() => undefined);
  }
}

/** Otherwise, orders that always fail would prevent the others from being settled. */
async function postponeFailed({ env, reference }: OrderRef, deps: TopUpDependencies): Promise<void> {
  const order = await deps.orders.getOrder(env, reference);
  if (order) await postpone(order, deps, false);
}
