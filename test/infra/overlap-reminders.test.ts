import { expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { overlapReminders } from '../../infra/stages/overlap-reminders.ts';
import { prod } from '../../infra/stages/prod.ts';
import { synthesizeStacks, warningsOf } from './synthesis.ts';
import type { Synthesis } from './synthesise.ts';

/** Tests the reminders in docs/operate/domains.md. */

const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
const operations = {
  accountConcurrency: 1_000,
  domain: { name: 'api.example.ng', certificateArn },
  generatedUrl: { openUntil: '2027-01-31' },
  previousDomains: [{ name: 'api.example.com', certificateArn, openUntil: '2027-03-31' }],
} as const satisfies StageConfig['operations'];
const config = { ...prod, operations };

test('an address is not mentioned until its last day has passed', () => {
  expect(overlapReminders(config, '2027-01-31')).toEqual([]);
  expect(overlapReminders(config, '2027-02-01')).toEqual([
    expect.stringMatching(/^The URL that API Gateway generates .* 2027-01-31\. .* infra\/stages\/prod\.ts/),
  ]);
  expect(overlapReminders(config, '2027-04-01')).toEqual([
    expect.stringContaining('2027-01-31'),
    expect.stringMatching(/^The domain api\.example\.com .* 2027-03-31\. .* previousDomains/),
  ]);
});

test('a stage without a replaced address has no reminder', () => {
  expect(overlapReminders(prod, '2099-01-01')).toEqual([]);
  const closed = {
    ...prod,
    operations: { ...operations, generatedUrl: 'closed', previousDomains: [] },
  } as const;
  expect(overlapReminders(closed, '2099-01-01')).toEqual([]);
});

test('the synthesis prints the reminders, and the date does not change the templates', () => {
  const before = { changes: { operations }, now: new Date('2027-01-31T23:59:59Z') };
  const after = { changes: { operations }, now: new Date('2027-04-01T00:00:00Z') };
  const remindersOf = (synthesis: Synthesis) =>
    warningsOf('prod', synthesis).filter((text) => text.includes('stay open'));

  expect(remindersOf(before)).toEqual([]);
  expect(remindersOf(after)).toEqual(overlapReminders(config, '2027-04-01'));
  expect(synthesizeStacks('prod', after)).toEqual(synthesizeStacks('prod', before));
});
