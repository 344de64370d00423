import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const SAMPLE = new URL('../../support/sample.ts', import.meta.url).href;
const CODE = `import { randomCases } from ${JSON.stringify(SAMPLE)};
const cases = Array.from({ length: 100 }, (_, index) => index);
process.stdout.write(JSON.stringify([randomCases(cases, 10), randomCases(cases, 10)]));`;

function choose(seed?: string) {
  const { SAMPLE_SEED: _, ...environment } = process.env;
  const env = { ...environment, ...(seed !== undefined && { SAMPLE_SEED: seed }) };
  const args = ['--input-type=module', '-e', CODE];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  return { chosen: JSON.parse(stdout) as readonly number[][], stderr };
}

test('random cases are repeated with the seed of a run', () => {
  const { chosen, stderr } = choose('7');
  expect(chosen.map((cases) => new Set(cases).size)).toEqual([10, 10]);
  expect(choose('7').chosen).toEqual(chosen);
  expect(choose('8').chosen).not.toEqual(chosen);
  expect(chosen[1]).not.toEqual(chosen[0]);
  expect(stderr).toBe('');
});

test('a run without a seed prints the one that it uses', () => {
  const { chosen, stderr } = choose();
  const [, seed = ''] = /^Random cases: SAMPLE_SEED=(\d+)$/m.exec(stderr) ?? [];
  expect(choose(seed).chosen).toEqual(chosen);
});
