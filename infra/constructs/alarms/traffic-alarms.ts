import { DELIVER_WEBHOOK } from '../../console-routes.ts';
import { SANDBOX_REGISTRY, SCHEDULES } from '../../routes.ts';
import { GATEWAY_METRICS } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Returns the alarms on failed requests, and on failures of functions that API Gateway does not call. */
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
      pages: true,
      description:
        'Customers receive 503 SERVICE_UNAVAILABLE and are not charged. A wallet did not respond, or a step before or during the look-up did not finish in time.',
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
    {
      name: 'gateway-throttles',
      pages: true,
      description:
        'Customers receive 429 from API Gateway. All callers together exceed the limit of a route, or the quota of the account.',
      metric: metrics.gateway(GATEWAY_METRICS.throttled),
      threshold: 0,
      periods: 2,
    },
    // If a function behind the API fails, API Gateway returns a 5xx response, which `gateway-failures` counts.
    ...[SANDBOX_REGISTRY, ...SCHEDULES].map(({ name }) => functionErrors(name, metrics)),
  ];
}

/** Returns an alarm on crashes and timeouts of a function that API Gateway does not call. */
export function functionErrors(name: string, metrics: ServiceMetrics): AlarmSpec {
  return {
    name: `function-errors-${name}`,
    pages: true,
    description: `${impactOf(name)} The function ${name} crashed or timed out.`,
    metric: metrics.ofFunction(name, 'Errors', 'Sum'),
    threshold: 0,
    runbook: 'function-errors',
  };
}

/** Returns what customers notice if this function fails. */
function impactOf(name: string): string {
  if (name === SANDBOX_REGISTRY.name)
    return 'Customers receive 503 or 504 for requests with test keys, and are not charged.';
  if (name === DELIVER_WEBHOOK.name) return 'Customers receive webhooks late.';
  return 'Customers are not affected at first, because the next run does the work; if slo-burn fires too, start there.';
}
