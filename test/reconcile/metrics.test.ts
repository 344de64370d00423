import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { control, logFile } from '../support/service.ts';

/** The metrics whose absence fires an alarm in infra/constructs/alarms/ledger-alarms.ts, as the functions write them. */
test.each([
  ['sweep-holds', ['oldestHold']],
  ['reconcile-wallets', ['reconciliationDifferences']],
])('%s publishes its metrics on each run', async (name, metrics) => {
  const before = readFileSync(logFile, 'utf8').length;
  await control.runSchedule(name);
  const lines = readFileSync(logFile, 'utf8').slice(before).split('\n');
  const published = lines
    .filter((line) => line.includes('"_aws"'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .find((line) => metrics.every((metric) => typeof line[metric] === 'number'));
  expect(published).toBeDefined();
});
