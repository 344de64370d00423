import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { onlyAboveZero, publishMetrics } from '../../../shared/core/metrics.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

test('one line contains the metrics of all groups, each with its own dimensions', () => {
  publishMetrics(
    { values: { failedRequests: 0, lookUpLatency: [5_000, 412] } },
    { values: { foundResults: 1 }, dimensions: { provider: 'prembly', idType: 'NIN' } },
  );

  expect(output.stdout.endsWith('}\n')).toBe(true);
  expect(JSON.parse(output.stdout)).toEqual({
    _aws: {
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: 'IdentityVerification',
          Dimensions: [['service']],
          Metrics: [
            { Name: 'failedRequests', Unit: 'Count' },
            { Name: 'lookUpLatency', Unit: 'Milliseconds' },
          ],
        },
        {
          Namespace: 'IdentityVerification',
          Dimensions: [['service', 'provider', 'idType']],
          Metrics: [{ Name: 'foundResults', Unit: 'Count' }],
        },
      ],
    },
    service: 'identity-test',
    provider: 'prembly',
    idType: 'NIN',
    failedRequests: 0,
    lookUpLatency: [5_000, 412],
    foundResults: 1,
  });
});

test('groups in which a name has different values are in different lines', () => {
  const of = (provider: string, foundResults: number) => {
    publishMetrics(
      { values: { faults: 1 } },
      { values: { foundResults: 1 }, dimensions: { provider: 'prembly' } },
      { values: { foundResults }, dimensions: { provider } },
    );
    const lines = output.stdout.trim().split('\n');
    output.restore();
    output = captureOutput();
    return lines.map((line) => JSON.parse(line));
  };
  for (const [provider, found] of [
    ['dojah', 1],
    ['prembly', 0],
  ] as const) {
    const [first, second] = of(provider, found);
    expect(first).toMatchObject({ faults: 1, provider: 'prembly', foundResults: 1 });
    expect(second).toMatchObject({ provider, foundResults: found });
    expect(second).not.toHaveProperty('faults');
  }
  expect(of('prembly', 1)).toHaveLength(1);
});

test('a group without values adds no dimensions, and no line is written without metrics', () => {
  publishMetrics({ values: { faults: 1 } }, { values: {}, dimensions: { route: 'health', version: '7' } });
  const line = JSON.parse(output.stdout);
  expect(line._aws.CloudWatchMetrics).toHaveLength(1);
  expect(line).not.toHaveProperty('route');

  output = captureOutput();
  publishMetrics({ values: {} }, { values: onlyAboveZero({ faults: 0 }) });
  expect(output.stdout).toBe('');
});

test('a rare metric is published only if it is not 0', () => {
  expect(onlyAboveZero({ quarantinedHolds: 0, releasedHolds: 3 })).toEqual({ releasedHolds: 3 });
});
