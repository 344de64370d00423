import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Returns the alarms on signs that an API key has been stolen, or that someone is guessing numbers or keys. */
export function abuseAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  const hour = Duration.hours(1);
  return [
    {
      name: 'guess-limit',
      description:
        'A customer receives 429 for look-ups. Too many look-ups of a live key or an organisation found no record, so someone may be guessing numbers.',
      metric: metrics.own('guessLimited', 'Sum'),
      threshold: 20,
    },
    {
      name: 'misses-high',
      description:
        'A customer may receive many "not found" responses. Today, at least 20% of the look-ups of a live key or an organisation found no record, so someone may be guessing numbers.',
      metric: metrics.own('withManyMisses', 'Maximum', hour),
      threshold: 0,
    },
    {
      name: 'look-ups-high',
      description:
        'A customer may be charged for look-ups that are not theirs. A live key or an organisation made more than twice as many look-ups today as on the busiest of the previous 14 days, so a key may be stolen.',
      metric: metrics.own('withManyLookUps', 'Maximum', hour),
      threshold: 0,
    },
    {
      name: 'new-network',
      description:
        'A customer may be charged for look-ups that are not theirs. A live key was used from a network that is not among its last 10, so the key may be stolen.',
      metric: metrics.own('newNetworks', 'Sum', hour),
      threshold: 0,
    },
    {
      name: 'rejected-keys',
      description:
        'Either a customer receives 401, or no customer is affected. Many requests were rejected because of their API key: a customer may be using an old or restricted key, or someone may be trying to guess keys.',
      metric: metrics.own('rejectedKeys', 'Sum'),
      threshold: 100,
    },
  ];
}
