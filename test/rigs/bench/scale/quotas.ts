/**
 * Limits and default quotas of AWS, from copies of AWS's documentation read on 24 November 2026. An account can have
 * different quotas: Service Quotas shows them.
 */
/**
 * DynamoDB Developer Guide, "Understanding DynamoDB warm throughput in different scenarios". AWS re:Post, "How does
 * DynamoDB handle spiky workloads in short intervals", adds that a combination of reads and writes is limited too.
 */
export const PARTITION_LIMIT = { readUnits: 3_000, writeUnits: 1_000 } as const;

/** DynamoDB Developer Guide, "Pre-warming a table for on-demand capacity mode". Also applies to a new index. */
export const NEW_TABLE = { readUnits: 12_000, writeUnits: 4_000 } as const;

/** Lambda Developer Guide, "Understanding Lambda function scaling": new instances of one function in ten seconds. */
export const NEW_INSTANCES_IN_TEN_SECONDS = 1_000;

export interface Quota {
  readonly name: string;
  readonly value: number;
  /** The code in Service Quotas. Absent if AWS does not raise the quota, or if the documentation gives no code. */
  readonly code?: string;
  readonly isFixed?: true;
  readonly source: string;
}

export const QUOTAS = {
  tableReads: {
    ...{ name: 'Table-level read throughput limit', value: 40_000, code: 'L-CF0CBE56' },
    source: 'AWS General Reference, "Amazon DynamoDB endpoints and quotas"',
  },
  tableWrites: {
    ...{ name: 'Table-level write throughput limit', value: 40_000, code: 'L-AB614373' },
    source: 'AWS General Reference, "Amazon DynamoDB endpoints and quotas"',
  },
  concurrency: {
    ...{ name: 'Concurrent executions', value: 1_000, code: 'L-B99A9384' },
    source: 'Lambda Developer Guide, "Lambda quotas"',
  },
  gatewayRate: {
    ...{ name: 'Throttle rate', value: 10_000, code: 'L-8A5B8E43' },
    source: 'API Gateway Developer Guide, "Amazon API Gateway quotas"',
  },
  firewallRate: {
    ...{ name: 'Maximum number of requests per second per web ACL', value: 100_000 },
    source: 'AWS WAF Developer Guide, "AWS WAF quotas"',
  },
  secretReads: {
    ...{ name: 'Combined rate of DescribeSecret and GetSecretValue API requests', value: 10_000 },
    ...{ isFixed: true, source: 'Secrets Manager User Guide, "AWS Secrets Manager quotas"' },
  },
  keyOperations: {
    ...{ name: 'Cryptographic operations (symmetric) request rate', value: 10_000, code: 'L-6E3AF000' },
    source: 'KMS Developer Guide, "Request quotas"',
  },
  logCalls: {
    ...{ name: 'PutLogEvents throttle limit in transactions per second', value: 5_000, code: 'L-7E1FAE88' },
    source: 'AWS General Reference, "Amazon CloudWatch Logs endpoints and quotas"',
  },
} as const satisfies Readonly<Record<string, Quota>>;
