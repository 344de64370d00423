import { withDeadline } from '../../core/deadline.ts';
import type { Environment } from '../../core/environment.ts';
import { errorFields } from '../../core/logger.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import type { TopUpOrder } from './order.ts';
import { markDue, type SettleOptions, settleTopUp } from './settle-top-up.ts';

/**
 * Paystack's webhook must get its response within 1 s, and a customer looking at a page should not wait longer.
 */
const SETTLE_WITHIN_MS = 600;

/** `late`: the sweep settles the order within about a minute. `detail` is for the log. */
export type SettledInTime =
  | { readonly kind: 'settled'; readonly order: TopUpOrder }
  | { readonly kind: 'late'; readonly detail: string }
  | { readonly kind: 'unknown' };

/**
 * Waits at most 600 ms. If settling fails or takes longer, the sweep settles the order. Throws if even that cannot be
 * written.
 */
export async function settleInTime(
  env: Environment,
  reference: string,
  deps: TopUpDependencies,
  options: SettleOptions = {},
): Promise<SettledInTime> {
  const startMs = deps.clock.nowMs();
  // Settling continues after the deadline, which is harmless: it may be interrupted and repeated.
  const settling = settleTopUp(env, reference, deps, options).then(
    (order): SettledInTime => (order ? { kind: 'settled', order } : { kind: 'unknown' }),
    (error: unknown): SettledInTime => ({ kind: 'late', detail: JSON.stringify(errorFields(error)) }),
  );
  const late = (): SettledInTime => ({ kind: 'late', detail: 'settling took too long' });
  const result = await withDeadline(settling, startMs + SETTLE_WITHIN_MS, startMs, late);
  if (result.kind === 'late') await markDue(env, reference, deps);
  return result;
}
