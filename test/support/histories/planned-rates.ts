import type { FaultRates } from '../../ledger/simulation/network.ts';
import type { Random } from '../../ledger/simulation/random.ts';

/** Returns how often each fault occurs in a history. Some faults do not occur in it at all. */
export function plannedRates(random: Random): FaultRates {
  const rate = () => random.pick([0, 0, 0.01, 0.05, 0.15]);
  return {
    lost: rate(),
    notApplied: rate(),
    late: rate(),
    conflict: rate(),
    throttled: rate(),
    kill: random.pick([0, 0, 0.01, 0.03, 0.08]),
    freeze: random.pick([0, 0, 0.01]),
  };
}
