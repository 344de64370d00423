import { connect } from '../../../../shared/core/database.ts';
import { shardTable } from '../../../../shared/ledger/tables/shard-table.ts';
import { countUnits } from '../cost/units.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import { seed } from '../references/naive.ts';
import type { Flow } from '../samples/flow.ts';
import type { Stage } from '../stage/stage.ts';
import type { SentCall } from '../stage/wire.ts';
import type { Variants } from '../variants.ts';
import { exact, type Line, timesOf } from './goal.ts';

const NAIVE = 'naive implementation with 7 calls';
/** The numbers of warm-up requests and of measured requests. The compiler is busy during the first 500 requests. */
const FLOW = { warmUp: 700, counted: 800 };

/** Measures goal 5: the calls of one verification that finds a record, except those of the rate limiter. */
export function callGoals(sent: readonly SentCall[]): Line[] {
  const calls = sent.filter(({ operation }) => operation !== 'look-up').filter((call) => !isLimiter(call));
  const reads = calls.filter(({ operation }) => /Get|Query/.test(operation)).length;
  const { writeUnits } = countUnits(calls);
  const line = (
    goal: string,
    what: string,
    value: number,
    goalValue: number,
    unit: Line['unit'],
    failsAt = goalValue,
  ): Line => ({
    ...{ goal, what, reference: 'counted, without the rate limiter', unit },
    ...{ measured: exact(value), goalValue, failsAt },
  });
  return [
    line('5a', 'sequential reads of one verification', reads, 1, 'calls'),
    line('5b', 'sequential writes of one verification', calls.length - reads, 3, 'calls'),
    line('5c', 'write units of one verification', writeUnits, 5, 'units', 6),
  ];
}

function isLimiter({ input }: SentCall): boolean {
  return JSON.stringify(input['Key'] ?? '').includes('RATE#');
}

/**
 * Measures goals 6 and 7: user processor time of verifications, and how many failed or were not charged exactly once.
 */
export async function flowGoals(
  variants: Variants,
  stage: Stage,
  rounds: number,
  { warmUp, counted } = FLOW,
): Promise<Line[]> {
  await seed();
  const before = await available(stage);
  const taken = await inTurn(['deployed', 'naive'], rounds, (name) =>
    sample<Flow>('flow', [variants[name], stage.live, String(warmUp), String(counted)], stage.environment),
  );
  const cpu = (name: 'deployed' | 'naive') => taken[name].map((one) => one.cpuMs);
  const failed = [...taken.deployed, ...taken.naive].reduce((sum, one) => sum + one.failed, 0);
  // The first round is not measured, but its requests were charged too.
  const served = (taken.deployed[0]?.requests ?? 0) * (rounds + 1);
  const wrong = failed + Math.abs(before - (await available(stage)) - served);
  return [
    timesOf(NAIVE, {
      ...{ goal: '6', what: 'user processor time of a verification, warm', goalValue: 0.8, failsAt: 1.1 },
      measured: ratioOf(cpu('deployed'), cpu('naive')),
    }),
    {
      ...{ goal: '7b', what: `failed or not charged exactly once, of ${served}`, reference: 'counted' },
      ...{ unit: 'requests', measured: exact(wrong), goalValue: 0, failsAt: 0 },
    },
  ];
}

async function available({ organisationId }: Stage): Promise<number> {
  const place = { wallet: { env: 'live', organisationId }, shard: 0 } as const;
  const [found] = await shardTable(connect(), 'Wallets').getShards([place]);
  return found?.row.available ?? 0;
}
