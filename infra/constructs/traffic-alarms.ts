import { Duration } from 'aws-cdk-lib';
import { FUNCTION_NAMES, SANDBOX_REGISTRY, SCHEDULES } from '../routes.ts';
import type { AlarmSpec } from './alarm.ts';
import { GATEWAY_METRICS } from './physical-names.ts';
import { percentOf, type ServiceMetrics, sumOf } from './service-metrics.ts';

/** Alarms on requests that fail, on registry providers and on functions. */
export function trafficAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'faults',
      description:
        'Customers receive 500 SERVER_ERROR from a function and are not charged. The code has a bug, the deployment is misconfigured, or DynamoDB fails.',
      metric: metrics.own('faults', 'Sum'),
      threshold: 0,
    },
    {
      name: 'wallet-unavailable',
      description:
        'Customers receive 503 SERVICE_UNAVAILABLE and are not charged. Their credits could not be reserved in DynamoDB, or a step before or during the look-up did not end in time.',
      metric: metrics.own('unavailableWallets', 'Sum'),
      threshold: 2,
    },
    {
      name: 'gateway-failures',
      description:
        'Customers receive a 5xx response from API Gateway. A function crashed or timed out, did not respond within 29 seconds, or could not be invoked.',
      metric: metrics.gateway(GATEWAY_METRICS.failed),
      threshold: 0,
    },
    ...registryAlarms(metrics),
    {
      name: 'gateway-throttles',
      description:
        'Customers receive 429 from API Gateway. All callers together exceed the throttling limit of the stage.',
      metric: metrics.gateway(GATEWAY_METRICS.throttled),
      threshold: 0,
      periods: 2,
    },
    ...FUNCTION_NAMES.map((name): AlarmSpec => functionErrors(name, metrics)),
  ];
}

function registryAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'registry-failures',
      description:
        'Customers are served by the next provider, or receive 503 or 504 and are not charged. More than 10% of look-ups with live keys fail because a registry provider is unreachable or too slow.',
      metric: registryFailureRate(metrics),
      threshold: 10,
      periods: 2,
    },
    {
      name: 'registry-down',
      description:
        'Customers are served by the next provider, or receive 503 or 504 and are not charged. A registry provider is down, or the function publish-events is not running.',
      metric: metrics.own('registriesDown', 'Maximum', Duration.minutes(1)),
      threshold: 0,
      periods: 3,
      firesWithoutData: true,
    },
  ];
}

function functionErrors(name: string, metrics: ServiceMetrics): AlarmSpec {
  return {
    name: `function-errors-${name}`,
    description: `${impactOf(name)} The function ${name} crashed or timed out.`,
    metric: metrics.ofFunction(name, 'Errors', 'Sum'),
    threshold: 0,
    section: 'function-errors',
  };
}

/** What customers notice if the function fails. */
function impactOf(name: string): string {
  if (name === SANDBOX_REGISTRY.name)
    return 'Customers receive 503 or 504 for requests with test keys, and are not charged.';
  return SCHEDULES.some((schedule) => schedule.name === name)
    ? 'Customers are not affected at first, because the next run does the work of the failed run.'
    : 'Customers receive 5xx responses.';
}

/** In percent, of live keys only: test keys can request outages from the sandbox. */
function registryFailureRate(metrics: ServiceMetrics) {
  const failed = [metrics.lookUps('unreachable'), metrics.lookUps('timeout')];
  const completed = [metrics.lookUps('found'), metrics.lookUps('not-found'), metrics.lookUps('failed')];
  return percentOf(
    'failed look-ups, %',
    sumOf('failed', failed),
    sumOf('sent', [...failed, ...completed]),
    10,
  );
}
