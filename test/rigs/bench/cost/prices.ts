/**
 * List prices in US dollars in us-east-1 without free tiers, from public price overviews of 21 November 2026.
 * DynamoDB's are those after its price cut in November 2024. Other regions, such as af-south-1, cost up to a third
 * more.
 */
export const PRICES = {
  /** API Gateway, REST API, each million up to 333 million a month. */
  requestsPerMillion: 3.5,
  invocationsPerMillion: 0.2,
  /** Lambda on arm64. */
  gigabyteSecond: 0.0000133334,
  writeUnitsPerMillion: 0.625,
  readUnitsPerMillion: 0.125,
  tableGigabyteMonth: 0.25,
  backupGigabyteMonth: 0.2,
  egressGigabyte: 0.09,
  logGigabyte: 0.5,
  firewallPerMillion: 0.6,
  /** AWS WAF: a web ACL, and each of its rules. */
  firewallMonth: 5,
  firewallRuleMonth: 1,
  secretMonth: 0.4,
  keyMonth: 1,
  /** CloudWatch: the first 10,000 custom metrics, billed for the hours in which they have values. */
  customMetricMonth: 0.3,
  /** Each metric that an alarm reads, with a period of at least a minute. */
  alarmMetricMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  tracesPerMillion: 5,
  /** SQS, standard queue (0.40) with message groups (0.10 more). */
  queueRequestsPerMillion: 0.5,
} as const;
