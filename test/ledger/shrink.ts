import type { Plan } from './plan.ts';

/** Removes parts of a plan one by one, as long as the rest still fails. */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerPlans(smallest)) {
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/**
 * Yields every plan that lacks one call, retry, repeat, payment, sweep, transfer, blackout, erasure or kind of fault,
 * the rotation of the pepper, or all clock errors of functions.
 */
function* smallerPlans(plan: Plan): Generator<Plan> {
  for (const name of ['calls', 'payments', 'sweeps', 'transfers', 'blackouts', 'erasures'] as const)
    for (let index = 0; index < plan[name].length; index += 1)
      yield { ...plan, [name]: plan[name].toSpliced(index, 1) };
  for (const [index, call] of plan.calls.entries())
    for (const name of ['retries', 'repeats'] as const)
      if (call[name] > 0)
        yield { ...plan, calls: plan.calls.with(index, { ...call, [name]: call[name] - 1 }) };
  const { rotateAtMs, ...withoutRotation } = plan;
  if (rotateAtMs !== undefined) yield withoutRotation;
  if (plan.skewsMs.some((skewMs) => skewMs !== 0)) yield { ...plan, skewsMs: [] };
  for (const [fault, rate] of Object.entries(plan.rates))
    if (rate > 0) yield { ...plan, rates: { ...plan.rates, [fault]: 0 } };
}
