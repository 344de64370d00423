import { Duration } from 'aws-cdk-lib';
import { FUNCTION_NAMES } from '../routes.ts';
import type { AlarmSpec } from './alarm.ts';
import { GATEWAY_METRICS } from './physical-names.ts';
import { percentOf, type ServiceMetrics, sumOf } from './service-metrics.ts';

/** Are callers served? One watch for each cause of a 5xx. */
export function trafficAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'faults',
      description: 'Callers were answered 500 SERVER_ERROR: something in the service is broken.',
      metric: metrics.own('faults', 'Sum'),
      limit: 0,
    },
    {
      name: 'wallet-unavailable',
      description:
        'Callers were answered 503 since their wallet did not answer, while registries may be well.',
      metric: metrics.own('unavailableWallets', 'Sum'),
      limit: 2,
    },
    {
      name: 'gateway-failures',
      description:
        'API Gateway answered 5xx in place of a function: it crashed, was too slow, or could not be called.',
      metric: metrics.gateway(GATEWAY_METRICS.failed),
      limit: 0,
    },
    {
      name: 'registry-failures',
      description: 'More than 10 % of the look-ups of live keys find their registry unreachable or too slow.',
      metric: registryFailureRate(metrics),
      limit: 10,
      periods: 2,
    },
    {
      name: 'registry-down',
      description: 'A registry provider is not asked any more, since it does not answer.',
      metric: metrics.own('registriesDown', 'Maximum', Duration.minutes(1)),
      limit: 0,
      periods: 3,
      mustNotify: true,
    },
    {
      name: 'gateway-throttles',
      description: 'API Gateway turned callers away at the throttling limit of the stage.',
      metric: metrics.gateway(GATEWAY_METRICS.throttled),
      limit: 0,
      periods: 2,
    },
    ...FUNCTION_NAMES.map(
      (name): AlarmSpec => ({
        name: `function-errors-${name}`,
        description: `The function ${name} crashed or ran out of its time.`,
        metric: metrics.ofFunction(name, 'Errors', 'Sum'),
        limit: 0,
        section: 'function-errors',
      }),
    ),
  ];
}

/** In percent. The sandbox's outages are asked for, so that test keys do not count. */
function registryFailureRate(metrics: ServiceMetrics) {
  const failed = [metrics.lookUps('unreachable'), metrics.lookUps('timeout')];
  const answered = [metrics.lookUps('found'), metrics.lookUps('not-found'), metrics.lookUps('failed')];
  return percentOf(
    'look-ups without an answer, %',
    sumOf('failed', failed),
    sumOf('asked', [...failed, ...answered]),
    10,
  );
}
