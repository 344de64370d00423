import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flowGoals } from './goals/flow.ts';
import { shardGoals } from './goals/shards.ts';
import { openStage, type Stage } from './stage/stage.ts';
import { buildVariants, type Variants } from './variants.ts';

const FEW = { warmUp: 2, counted: 3 };

let variants: Variants;
let stage: Stage;
beforeAll(async () => {
  variants = await buildVariants();
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  variants.remove();
});

test('goals 6 and 7 and row 16 measure all variants, and charge every verification once', async () => {
  const [cpu, wrong, ...compared] = await flowGoals(variants, stage, 2, FEW);

  expect(cpu).toMatchObject({ goal: '6' });
  expect(cpu?.measured.median).toBeGreaterThan(0);
  // Three processes, including that of the first round, which does not count.
  expect(wrong).toMatchObject({
    goal: '7b',
    what: expect.stringContaining('of 15'),
    measured: { median: 0 },
  });
  expect(compared.map(({ goal }) => goal)).toEqual(['16a', '16b']);
  for (const { isComparison, notMeasured, measured } of compared) {
    expect(isComparison).toBe(true);
    if (notMeasured === undefined) expect(measured.median).toBeGreaterThan(0);
    else expect(notMeasured).toBe('PostgreSQL is not installed');
  }
});

test('goal 18 counts fewer write units and no rejected requests with eight shards', async () => {
  const [units, rejected] = await shardGoals(1);

  expect(units).toMatchObject({ goal: '18a' });
  expect(units?.measured.median).toBeLessThan(0.25);
  // One shard accepts 100 holds, and rejects the other requests.
  expect(rejected).toMatchObject({ goal: '18b', reference: 'counted; with 1 shard: 50' });
  expect(rejected?.measured.median).toBe(0);
});
