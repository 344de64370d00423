import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flowGoals } from './goals/flow.ts';
import { openStage, type Stage } from './stage/stage.ts';
import { buildVariants, type Variants } from './variants.ts';

let variants: Variants;
let stage: Stage;
beforeAll(async () => {
  variants = await buildVariants();
  stage = await openStage();
}, 120_000);
afterAll(async () => {
  await stage.close();
  variants.remove();
});

test('goals 6 and 7 measure both implementations, and charge every verification once', async () => {
  const lines = await flowGoals(variants, stage, 2, { warmUp: 2, counted: 3 });

  const [cpu, wrong] = lines.map(({ measured }) => measured);
  expect(lines.map(({ goal }) => goal)).toEqual(['6', '7b']);
  expect(cpu?.rounds?.own).toHaveLength(2);
  expect(cpu?.rounds?.reference).toHaveLength(2);
  // Three processes, with the one that does not count.
  expect(lines[1]?.what).toContain('of 15');
  expect(wrong?.median).toBe(0);
}, 120_000);
