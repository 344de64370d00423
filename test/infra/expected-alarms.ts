import { prod } from '../../infra/stages/prod.ts';
import { CONSOLE } from './console.ts';
import { MONEY } from './money.ts';

/** The settings of prod that add alarms. */
export const ADDS_ALARMS = {
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up',
  },
  trafficHours: { fromHourUtc: 7, toHourUtc: 18, weekdaysOnly: true, quietMinutes: 30 },
  registries: { NIN: ['prembly', 'dojah'], TIN: ['youverify'] },
  accountConcurrency: 1_000,
} as const;
export const BACKUP = { account: '444455556666', region: 'eu-central-1' } as const;
const { registries, ...operations } = ADDS_ALARMS;

export const EVERY_ALARM = {
  ...CONSOLE,
  ...MONEY,
  registries,
  operations: {
    ...prod.operations,
    ...operations,
    generatedUrl: 'closed',
    alarmEmail: 'on-call@example.com',
    ticketEmail: 'tickets@example.com',
    probeRegion: 'eu-central-1',
    backup: BACKUP,
  },
} as const;

/**
 * Every alarm of prod, with all settings that add one, except those that roll back a deployment: what it compares, over
 * how many seconds, with which threshold, and for how many periods. It notifies the topic of its runbook unless it is silent, and missing data
 * does not make it fire unless the row says so.
 */

const FAILED_SHARE =
  'IF((FILL(failed, 0) + FILL(gateway, 0)) < LEAST, 0, 100 * (FILL(failed, 0) + FILL(gateway, 0)) / (FILL(requests, 1) + FILL(gateway, 0)))';

/** The share of failed requests in a window of these seconds, in percent. */
const burn = (seconds: number, least: number, condition: string) => [
  `${FAILED_SHARE.replace('LEAST', String(least))} ${condition}`,
  `failed: Sum identity-prod/failedRequests ${seconds} s`,
  `requests: SampleCount identity-prod/failedRequests ${seconds} s`,
  `gateway: Sum IdentityVerification/identity-prod/gatewayFailures ${seconds} s`,
];

const throttled = (metric: string, dimensions: readonly string[]) => [
  `${dimensions.map((_, index) => `FILL(throttled${index}, 0)`).join(' + ')} > 0 × 2`,
  ...dimensions.map((each, index) => `throttled${index}: Sum AWS/DynamoDB/${metric}{${each}} 300 s`),
];

const TABLES = ['ApiKeys', 'Wallets', 'VerificationLogs', 'AuditTrail', 'Approvals', 'Payments', 'Console'];
const INDEXES = [
  ['statement', 'Wallets'],
  ['wallets', 'Wallets'],
  ['byRequest', 'VerificationLogs'],
  ['byTime', 'VerificationLogs'],
  ['byReference', 'VerificationLogs'],
  ['due', 'Payments'],
  ['orders', 'Payments'],
];
const ofTables = TABLES.map((table) => `TableName=${table}`);

const shares = (provider: string, idType: string) => {
  const results = (name: string) =>
    `${name}{idType=${idType},provider=${provider},service=identity-prod} 900 s`;
  const metrics = (name: string) => [
    `share: Average IdentityVerification/${results(name)}`,
    `count: SampleCount IdentityVerification/${results(name)}`,
  ];
  const suffix = `${provider}-${idType.toLowerCase()}`;
  return {
    [`failed-share-${suffix}`]: [
      'IF(FILL(count, 0) < 50, 0, 100 * FILL(share, 0)) > 20 × 2',
      ...metrics('failedResults'),
    ],
    [`found-share-${suffix}`]: [
      'IF(FILL(count, 0) < 150, 100, 100 * FILL(share, 0)) < 20 × 2',
      ...metrics('foundResults'),
    ],
  };
};

export const EXPECTED_ALARMS: Readonly<Record<string, string | readonly string[]>> = {
  'slo-burn-1h': burn(3_600, 5, '> 1.44 × 1, silent'),
  'slo-burn-5m': burn(300, 1, '> 1.44 × 1, silent'),
  'slo-burn-6h': burn(21_600, 5, '> 0.6 × 1, silent'),
  'slo-burn-30m': burn(1_800, 1, '> 0.6 × 1, silent'),
  'audit-trail-changed': 'Sum identity-prod/changedAuditRows 300 s > 0 × 1',
  'audit-copy-late':
    'Maximum AWS/Lambda/IteratorAge{FunctionName=identity-prod-copy-audit-trail} 300 s > 3600000 × 1',
  'function-errors-copy-audit-trail':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-copy-audit-trail} 300 s > 0 × 1',
  'charge-unconfirmed': 'Sum identity-prod/unconfirmedCharges 300 s > 0 × 1',
  'reconciliation-differs': 'Maximum identity-prod/reconciliationDifferences 86400 s > 0 × 1',
  'reconciliation-overdue': 'SampleCount identity-prod/reconciliationDifferences 86400 s < 1 × 2, or no data',
  'hold-too-old': 'Maximum identity-prod/oldestHold 60 s > 300000 × 5, or no data',
  'hold-quarantined': 'Maximum identity-prod/quarantinedHolds 300 s > 0 × 1',
  'wallet-conflicts': [
    'IF(FILL(part, 0) < 10, 0, 100 * FILL(part, 0) / FILL(whole, 1)) > 5 × 3',
    'part: Sum AWS/DynamoDB/TransactionConflict{TableName=Wallets} 300 s',
    'whole: FILL(sent0, 0) + FILL(sent1, 0)',
    'sent0: SampleCount AWS/DynamoDB/SuccessfulRequestLatency{Operation=UpdateItem,TableName=Wallets} 300 s',
    'sent1: Sum AWS/DynamoDB/TransactionConflict{TableName=Wallets} 300 s',
  ],
  'slo-budget': burn(86_400, 5, '> 0.1 × 3'),
  'own-latency': [
    'IF(FILL(count, 0) < 200, 0, FILL(value, 0)) > 150 × 3',
    'value: p95 identity-prod/ownLatency 900 s',
    'count: SampleCount identity-prod/ownLatency 900 s',
  ],
  faults: 'Sum identity-prod/faults 300 s > 0 × 1',
  'wallet-unavailable': 'Sum identity-prod/unavailableWallets 300 s > 2 × 1',
  'gateway-failures': 'Sum IdentityVerification/identity-prod/gatewayFailures 300 s > 0 × 1',
  'gateway-throttles': 'Sum IdentityVerification/identity-prod/gatewayThrottles 300 s > 0 × 2',
  'function-errors-sandbox-registry':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-api-sandbox-registry} 300 s > 0 × 1',
  'function-errors-sweep-holds':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-sweep-holds} 300 s > 0 × 1',
  'function-errors-reconcile-wallets':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-reconcile-wallets} 300 s > 0 × 1',
  'function-errors-settle-top-ups':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-settle-top-ups} 300 s > 0 × 1',
  'function-errors-publish-events':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-publish-events} 300 s > 0 × 1',
  'registry-failures': [
    'IF(FILL(part, 0) < 10, 0, 100 * FILL(part, 0) / FILL(whole, 1)) > 10 × 2',
    'part: Sum identity-prod/failedLookUps 300 s',
    'whole: SampleCount identity-prod/failedLookUps 300 s',
  ],
  'registry-down': 'Maximum identity-prod/registriesDown 60 s > 0 × 5, or no data',
  'look-up-latency': [
    'IF(FILL(count, 0) < 50, 0, FILL(value, 0)) > 10000 × 2',
    'value: p95 identity-prod/lookUpLatency 900 s',
    'count: SampleCount identity-prod/lookUpLatency 900 s',
  ],
  'firewall-blocks':
    'Sum AWS/WAFV2/BlockedRequests{Region=AWS::Region,Rule=ALL,WebACL=identity-prod} 300 s > 100 × 1',
  'no-traffic': [
    'IF(HOUR(clock) >= 7 AND HOUR(clock) < 18 AND DAY(clock) < 6, FILL(requests, 0), 1) < 1 × 1',
    'clock: SampleCount identity-prod/oldestHold 1800 s',
    'requests: SampleCount identity-prod/failedRequests 1800 s',
  ],
  'guess-limit': 'Sum identity-prod/guessLimited 300 s > 20 × 1',
  'misses-high': 'Maximum identity-prod/withManyMisses 3600 s > 0 × 1',
  'look-ups-high': 'Maximum identity-prod/withManyLookUps 3600 s > 0 × 1',
  'new-network': 'Sum identity-prod/newNetworks 3600 s > 0 × 1',
  'rejected-keys': 'Sum identity-prod/rejectedKeys 300 s > 100 × 1',
  'payments-to-review': 'Maximum identity-prod/paymentsToReview 300 s > 0 × 3',
  'payments-overdue': 'SampleCount identity-prod/paymentsToReview 300 s < 1 × 3, or no data',
  'payments-unsettled': 'Minimum identity-prod/unsettledPayments 300 s > 99 × 3',
  'payment-webhooks-rejected': 'Sum identity-prod/rejectedWebhooks 3600 s > 3 × 1',
  'function-throttles': 'Sum AWS/Lambda/Throttles 300 s > 0 × 1',
  concurrency: 'Maximum AWS/Lambda/ConcurrentExecutions 300 s > 800 × 2',
  'schedule-failed':
    'Maximum AWS/SQS/ApproximateNumberOfMessagesVisible{QueueName=identity-prod-failed-schedules} 300 s > 0 × 1',
  'secret-age': 'Maximum identity-prod/oldestSecretDays 86400 s > 365 × 1',
  'backup-overdue':
    'Sum AWS/Backup/NumberOfCopyJobsCompleted{BackupVaultName=identity-prod} 86400 s < 7 × 2, or no data',
  'console-faults': 'Sum identity-prod-console/faults 300 s > 0 × 1',
  'console-failures': 'Sum IdentityVerification/identity-prod-console/gatewayFailures 300 s > 0 × 1',
  'console-throttles': 'Sum IdentityVerification/identity-prod-console/gatewayThrottles 300 s > 0 × 2',
  'sign-in-failures': 'Sum identity-prod-console/failedSignIns 300 s > 2 × 1',
  'mail-bounces': 'Maximum AWS/SES/Reputation.BounceRate 3600 s > 0.05 × 1',
  'sign-up-limit': 'Sum identity-prod-console/limitedSignUps 3600 s > 0 × 1',
  'usage-overdue': 'Maximum identity-prod-console/oldestUsage 3600 s > 5400000 × 3, or no data',
  'console-firewall-blocks':
    'Sum AWS/WAFV2/BlockedRequests{Region=AWS::Region,Rule=ALL,WebACL=identity-prod-console} 300 s > 100 × 1',
  'webhook-queue-age':
    'Maximum AWS/SQS/ApproximateAgeOfOldestMessage{QueueName=identity-prod-webhooks} 300 s > 3600 × 1',
  'webhook-dead-letters':
    'Maximum AWS/SQS/ApproximateNumberOfMessagesVisible{QueueName=identity-prod-failed-webhooks} 300 s > 0 × 1',
  'webhook-messages-unhandled': 'Sum identity-prod-console/unhandledMessages 300 s > 0 × 2',
  'failed-deliveries': 'Sum identity-prod-console/failedDeliveries 3600 s > 10 × 1',
  'webhooks-in-flight':
    'Maximum AWS/SQS/ApproximateNumberOfMessagesNotVisible{QueueName=identity-prod-webhooks} 300 s > 60000 × 1',
  'function-errors-deliver-webhook':
    'Sum AWS/Lambda/Errors{FunctionName=identity-prod-deliver-webhook} 300 s > 0 × 1',
  'certificate-expiring-api.example.com':
    'Minimum AWS/CertificateManager/DaysToExpiry{CertificateArn=arn:aws:acm:eu-west-1:111122223333:certificate/made-up} 86400 s < 30 × 1',
  'certificate-expiring-console.example.com': `Minimum AWS/CertificateManager/DaysToExpiry{CertificateArn=Domain${'console.example.com'.replaceAll('.', '')}} 86400 s < 30 × 1`,
  'table-throttles-reads': throttled('ReadThrottleEvents', ofTables),
  'table-throttles-writes': throttled('WriteThrottleEvents', ofTables),
  'index-throttles': throttled(
    'WriteThrottleEvents',
    INDEXES.map(([index, table]) => `GlobalSecondaryIndexName=${index},TableName=${table}`),
  ),
  ...shares('prembly', 'NIN'),
  ...shares('dojah', 'NIN'),
  ...shares('youverify', 'TIN'),
};
