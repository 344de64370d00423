import { withDeadline } from '../../core/deadline.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import type { OrderRef } from './order-table.ts';
import { postpone, settleTopUp } from './settle-top-up.ts';

/** The result of one sweep. */
interface TopUpSweep {
  /** Those that this sweep did not reach in time are still due in the next one. */
  due: number;
  asked: number;
  credited: number;
  failed: number;
}

const AT_ONCE = 8;
const MOST_ORDERS = 500;
/** Work that has begun ends in time, because calls to Paystack and the tables have timeouts. */
const BEGIN_WITHIN_MS = 25_000;
/** The function times out after 50 s. */
const SWEEP_WITHIN_MS = 45_000;

/**
 * Settles due orders in the order of `listDue`, whether or not a webhook arrived, and asks about unpaid ones less and less often
 * (`nextAskAt`). Calls `onFailure` for each order that failed, and continues.
 */
export async function sweepTopUps(
  deps: TopUpDependencies | undefined,
  onFailure: (error: unknown, order: OrderRef) => void,
): Promise<TopUpSweep> {
  if (!deps) return { due: 0, asked: 0, credited: 0, failed: 0 };
  const startMs = deps.clock.nowMs();
  const startIso = new Date(startMs).toISOString();
  const due = await deps.orders.listDue(startIso, MOST_ORDERS);
  const report: TopUpSweep = { due: due.length, asked: 0, credited: 0, failed: 0 };
  const waiting = [...due];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (deps.clock.nowMs() >= startMs + BEGIN_WITHIN_MS) return;
      await sweepOrder(next, report, startIso, deps, onFailure);
    }
  };
  const sweeping = Promise.all(Array.from({ length: AT_ONCE }, work));
  await withDeadline(sweeping, startMs + SWEEP_WITHIN_MS, deps.clock.nowMs(), () => undefined);
  return report;
}

async function sweepOrder(
  ref: OrderRef,
  report: TopUpSweep,
  startIso: string,
  deps: TopUpDependencies,
  onFailure: (error: unknown, order: OrderRef) => void,
): Promise<void> {
  const { env, reference } = ref;
  report.asked += 1;
  try {
    const order = await settleTopUp(env, reference, deps, { recheck: true });
    if (order?.creditedAt !== undefined && order.creditedAt >= startIso) report.credited += 1;
    if (order) await postpone(order, deps, true);
  } catch (error) {
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
