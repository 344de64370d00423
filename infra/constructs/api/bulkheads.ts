import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { reservedConcurrencyOf, UNRESERVED_EXECUTIONS } from '../../stages/capacity.ts';

/**
 * Warns if the account's quota is too small for reservations, so that operators find out before an outage. If they have
 * decided to reserve nothing, there is no warning.
 */
export function warnWithoutBulkheads(scope: Construct, config: StageConfig): void {
  const { operations, reservedConcurrency, stage } = config;
  const isReserved = Object.keys(reservedConcurrencyOf(config)).length > 0;
  if (!operations || reservedConcurrency || isReserved) return;
  Annotations.of(scope).addWarningV2(
    'identity:no-reserved-concurrency',
    `With accountConcurrency ${operations.accountConcurrency}, no function has reserved concurrency, because Lambda ` +
      `requires ${UNRESERVED_EXECUTIONS} executions to remain unreserved. Request a higher quota for "Concurrent ` +
      `executions" of AWS Lambda in Service Quotas, then set operations.accountConcurrency in infra/stages/${stage}.ts ` +
      'to the new quota. To reserve nothing on purpose, set reservedConcurrency to {}.',
  );
}
