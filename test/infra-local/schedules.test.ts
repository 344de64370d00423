import { expect, test } from '@jest/globals';
import { dueTimes } from '../../infra/local/functions/schedules.ts';

const at = (text: string) => Date.parse(`${text}:00Z`);

test.each<[string, string, boolean]>([
  ['rate(1 minute)', '2026-11-21T11:33', true],
  ['rate(5 minutes)', '2026-11-21T11:35', true],
  ['rate(5 minutes)', '2026-11-21T11:36', false],
  ['rate(1 day)', '2026-11-21T00:00', true],
  ['rate(1 day)', '2026-11-21T01:00', false],
  ['cron(0 3 * * ? *)', '2026-11-21T03:00', true],
  ['cron(0 3 * * ? *)', '2026-11-21T03:01', false],
  ['cron(*/15 8-17 ? * 2-6 *)', '2026-11-23T08:45', true],
  ['cron(*/15 8-17 ? * 2-6 *)', '2026-11-22T08:45', false],
  ['cron(0,30 0 1 1 ? 2027)', '2027-01-01T00:30', true],
])('%s at %s is due: %s', (expression, time, expected) => {
  expect(dueTimes(expression)(at(time))).toBe(expected);
});

test.each(['rate(1 week)', 'at(2026-01-01T00:00:00)', 'cron(0 3 L * ? *)', 'cron(0 3 * *)'])(
  '%s is rejected, because it would never be due',
  (expression) => {
    expect(() => dueTimes(expression)).toThrow();
  },
);
