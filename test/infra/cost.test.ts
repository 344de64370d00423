import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readUsage, USAGE_FILE, usageOf, withBills } from '../rigs/bench/cost/bill.ts';
import { customMetricsIn } from '../rigs/bench/cost/custom-metrics.ts';
import { fixedCounts } from '../rigs/bench/cost/fixed.ts';
import { synthesize } from './synthesis.ts';

const PAGE = 'docs/operate/cost.md';

test('the bills and fixed costs in docs/operate/cost.md match the templates and the recorded usage', () => {
  const page = readFileSync(PAGE, 'utf8');
  const { found } = readUsage();

  // If this fails, review the new costs, then run `npm run rig -- cost --fixed`.
  expect(readUsage()).toEqual(usageOf(found));
  expect(page).toBe(withBills(page, readUsage()));
});

test('a program with prices of its own computes the same bills from the recorded usage', () => {
  const program = 'test/rigs/bench/cost/recompute.py';
  const { stdout, stderr } = spawnSync('python3', [program, USAGE_FILE, PAGE], { encoding: 'utf8' });

  expect(stdout + stderr).toBe('20 bills, 0 differences\n');
});

test('a provider that is added to the routing of an ID type adds four metrics that alarms read', () => {
  const registries = { NIN: ['prembly'] } as const;
  const [before, after] = [synthesize('dev'), synthesize('dev', { registries })].map(
    (templates) => fixedCounts(templates)['metrics that alarms read'],
  );

  expect(after).toBe(Number(before) + 4);
});

test('a custom metric is a combination of a name and dimension values, whatever the number of log lines', () => {
  const line = (provider: string) => ({
    _aws: {
      CloudWatchMetrics: [
        { Dimensions: [['service']], Metrics: [{ Name: 'failedRequests' }, { Name: 'ownLatency' }] },
        { Dimensions: [['service', 'provider', 'idType']], Metrics: [{ Name: 'foundResults' }] },
      ],
    },
    ...{ service: 'identity-prod', provider, idType: 'NIN' },
  });

  expect(customMetricsIn([line('dojah'), line('dojah'), line('prembly'), { message: 'request' }])).toEqual([
    'failedRequests',
    'foundResults NIN dojah',
    'foundResults NIN prembly',
    'ownLatency',
  ]);
});
