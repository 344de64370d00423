import { type Alarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type AlarmStage, addAlarm } from '../alarms/alarm.ts';
import { MINUTES_5, ServiceMetrics } from '../alarms/service-metrics.ts';

/** A single fault may have another cause. */
const LEAST_FAULTS = 2;
/** In percent. */
const TOLERATED_PERCENT = 1;

/**
 * Adds an alarm on the faults of one version: crashes, timeouts and 500 responses. Unavailable wallets and unconfirmed
 * charges also count, because the version may lack a permission. Failures of a registry do not count, so that an outage
 * of a provider does not roll back a good version.
 *
 * Each version has its own alarm. CloudWatch keeps the state of an alarm whose metric changes, so a shared alarm would
 * still be firing for a broken version when a fix is deployed, and CodeDeploy would refuse the fix.
 */
export function addRollbackAlarm(
  scope: Construct,
  config: AlarmStage,
  { name, version }: { readonly name: string; readonly version: string },
): Alarm {
  const metrics = new ServiceMetrics(config.stage);
  const faults = 'FILL(crashes, 0) + FILL(faults, 0)';
  return addAlarm(scope, config, {
    name: `rollback-api-${name}`,
    suffix: `-v${version}`,
    description: `Some customers receive 5xx responses from a new version of ${name}. CodeDeploy shifts traffic back to the old version.`,
    metric: new MathExpression({
      expression: `IF(${faults} < ${LEAST_FAULTS}, 0, 100 * (${faults}) / FILL(requests, 1))`,
      usingMetrics: {
        crashes: metrics.ofVersion(name, version, 'Errors', 'Sum'),
        requests: metrics.ofVersion(name, version, 'Invocations', 'Sum'),
        faults: metrics.own('versionFaults', 'Sum', MINUTES_5, { route: name, version }),
      },
      period: MINUTES_5,
      label: `faulty requests of ${name}, %`,
    }),
    threshold: TOLERATED_PERCENT,
    runbook: 'rollback',
  });
}
