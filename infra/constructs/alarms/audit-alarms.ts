import { HOUR_MS } from '../../../shared/core/clock.ts';
import { COPY_AUDIT_TRAIL } from '../../routes.ts';
import type { AlarmSpec } from './alarm.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import { functionErrors } from './traffic-alarms.ts';

/** The stream keeps a row for 24 hours, so this leaves time to act. The reconciliation expects copies by then. */
const LATEST_COPY_MS = HOUR_MS;

/** Returns the alarms on the audit trail and its archive. */
export function auditAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'audit-trail-changed',
      pages: true,
      description:
        'Customers are not affected. A row of the audit trail was changed or deleted, which only someone with the rights of an administrator can do.',
      metric: metrics.own('changedAuditRows', 'Sum'),
      threshold: 0,
    },
    {
      name: 'audit-copy-late',
      description:
        'Customers are not affected. A row of the audit trail has waited for more than an hour to be copied to the archive, because copy-audit-trail fails or does not run.',
      metric: metrics.ofFunction(COPY_AUDIT_TRAIL.name, 'IteratorAge', 'Maximum'),
      threshold: LATEST_COPY_MS,
    },
    functionErrors(COPY_AUDIT_TRAIL.name, metrics),
  ];
}
