import type { Plan } from './plan.ts';

/** Takes parts of a plan away, one after another, as long as what is left is still bad. */
export async function cutDown(plan: Plan, isBad: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of partsOf(smallest)) {
      if (!(await isBad(smaller))) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Plans with one call, payment, sweep, move or kind of fault less. */
function* partsOf(plan: Plan): Generator<Plan> {
  for (const name of ['calls', 'payments', 'sweeps', 'moves'] as const)
    for (let place = 0; place < plan[name].length; place += 1)
      yield { ...plan, [name]: plan[name].toSpliced(place, 1) };
  for (const [place, call] of plan.calls.entries())
    for (const name of ['retries', 'repeats'] as const)
      if (call[name] > 0)
        yield { ...plan, calls: plan.calls.with(place, { ...call, [name]: call[name] - 1 }) };
  for (const [fault, rate] of Object.entries(plan.rates))
    if (rate > 0) yield { ...plan, rates: { ...plan.rates, [fault]: 0 } };
}
