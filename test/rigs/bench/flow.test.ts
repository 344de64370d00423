import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flowGoals } from './goals/flow.ts';
import { peerGoals } from './goals/peers.ts';
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

test('goals 6 and 7 measure both implementations and charge every verification once', async () => {
  const lines = await flowGoals(variants, stage, 2, FEW);

  const [cpu, wrong] = lines.map(({ measured }) => measured);
  expect(lines.map(({ goal }) => goal)).toEqual(['6', '7b']);
  expect(cpu?.rounds?.own).toHaveLength(2);
  expect(cpu?.rounds?.reference).toHaveLength(2);
  // Three processes, including that of the first round, which does not count.
  expect(lines[1]?.what).toContain('of 15');
  expect(wrong?.median).toBe(0);
});

test('rows 16 and 17 compare with Fastify and PostgreSQL, if PostgreSQL is installed, and with Express', async () => {
  const lines = await peerGoals(variants, stage, 1, FEW);

  expect(lines.map(({ goal }) => goal)).toEqual(['16a', '16b', '17a', '17b']);
  for (const { isComparison, notMeasured, measured } of lines) {
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
