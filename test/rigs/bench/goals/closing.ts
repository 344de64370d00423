import { inTurn, ratioOf, sample, spreadOf } from '../measure.ts';
import type { ClosingSample } from '../samples/closing.ts';
import { type Line, timesOf } from './goal.ts';

const MANY = 10_000;
const FEW = 1_000;

/** Measures goal 13: what closing a month costs for each wallet, with many wallets and with few. */
export async function closingGoals(rounds: number): Promise<Line[]> {
  const taken = await inTurn(['many', 'few'], rounds, (which) =>
    sample<ClosingSample>('closing', [String(which === 'many' ? MANY : FEW)]),
  );
  const timeOf = (samples: readonly ClosingSample[], wallets: number) =>
    samples.map(({ cpuMs }) => cpuMs / wallets);
  return [
    {
      ...{ goal: '13a', what: `month close of ${MANY.toLocaleString('en')} wallets, for each wallet` },
      ...{ reference: 'counted, three lines in each wallet', unit: 'calls' },
      measured: spreadOf(taken.many.map(({ calls }) => calls / MANY)),
      ...{ goalValue: 11, failsAt: 12 },
    },
    timesOf(`the same with ${FEW.toLocaleString('en')} wallets`, {
      ...{ goal: '13b', what: `month close of ${MANY.toLocaleString('en')} wallets, time for each wallet` },
      measured: ratioOf(timeOf(taken.many, MANY), timeOf(taken.few, FEW)),
      ...{ goalValue: 1.5, failsAt: 3 },
    }),
  ];
}
