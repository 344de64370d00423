import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmSpec } from './alarm.ts';

export interface CertifiedDomain {
  readonly name: string;
  readonly certificateArn: string;
}

/**
 * Returns one alarm for each domain. Certificate Manager renews its own certificates well before their last 30 days. If
 * only 30 days are left, the renewal has failed.
 */
export function certificateAlarms(domains: readonly CertifiedDomain[]): AlarmSpec[] {
  return domains.map(({ name, certificateArn }) => ({
    name: `certificate-expiring-${name}`,
    runbook: 'certificate-expiring',
    description:
      'In less than 30 days, customers will not be able to connect, because the certificate of the domain expires. The certificate has not been renewed.',
    metric: new Metric({
      namespace: 'AWS/CertificateManager',
      metricName: 'DaysToExpiry',
      dimensionsMap: { CertificateArn: certificateArn },
      statistic: 'Minimum',
      period: Duration.days(1),
    }),
    threshold: 30,
    firesBelow: true,
  }));
}
