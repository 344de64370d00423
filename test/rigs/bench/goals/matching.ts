import { sample, spreadOf } from '../measure.ts';
import type { Line } from './goal.ts';

/** Measures goal 19: the comparison of claimed details with a record. */
export async function matchingGoals(rounds: number): Promise<Line[]> {
  const taken = await sample<readonly number[]>('matching', [String(rounds)]);
  return [
    {
      ...{ goal: '19', what: 'match of claimed details with a record', goalValue: 50, failsAt: 100 },
      ...{ reference: 'absolute, on the machine that ran it', unit: 'µs' },
      measured: spreadOf(taken),
    },
  ];
}
