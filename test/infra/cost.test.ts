import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { customMetricsIn } from '../rigs/bench/cost/custom-metrics.ts';
import { fixedCosts, withFixedCosts } from '../rigs/bench/cost/fixed.ts';
import { synthesize } from './synthesis.ts';

test('the fixed costs in docs/operate/cost.md match the templates', () => {
  const page = readFileSync('docs/operate/cost.md', 'utf8');

  // If this fails, review the new costs, then run `npm run rig -- cost --fixed`.
  expect(page).toBe(withFixedCosts(page));
});

test('a provider that is added to the routing of an ID type adds four metrics that alarms read', () => {
  const registries = { NIN: ['prembly'] } as const;
  const [before, after] = [synthesize('dev'), synthesize('dev', { registries })].map((templates) =>
    fixedCosts(templates).find(({ what }) => what === 'metrics that alarms read'),
  );

  expect(after?.count).toBe(Number(before?.count) + 4);
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
