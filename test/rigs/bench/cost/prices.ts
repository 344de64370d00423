/**
 * List prices in US dollars without free tiers. eu-west-1: from AWS's price lists of May to August 2026, as quoted by
 * public repositories. Another region costs `PRICES_IN`.
 */
export const PRICES = {
  /** API Gateway, REST API, each million up to 333 million a month. */
  requestsPerMillion: 3.5,
  invocationsPerMillion: 0.2,
  /** Lambda on arm64. */
  gigabyteSecond: 0.0000133334,
  writeUnitsPerMillion: 0.705,
  readUnitsPerMillion: 0.1415,
  tableGigabyteMonth: 0.283,
  backupGigabyteMonth: 0.22,
  egressGigabyte: 0.09,
  logGigabyte: 0.57,
  logGigabyteMonth: 0.03,
  firewallPerMillion: 0.6,
  /** AWS WAF: a web ACL, and each of its rules. */
  firewallMonth: 5,
  firewallRuleMonth: 1,
  secretMonth: 0.4,
  secretCallsPerMillion: 5,
  keyMonth: 1,
  /** Route 53. */
  hostedZoneMonth: 0.5,
  keyRequestsPerMillion: 3,
  /** CloudWatch: the first 10,000 custom metrics, billed for the hours in which they have values. */
  customMetricMonth: 0.3,
  /** Each metric that an alarm reads, with a period of at least a minute. */
  alarmMetricMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  /** X-Ray, each million traces that are recorded. */
  tracesPerMillion: 5,
  /** SQS, standard queue (0.40) with message groups (0.10 more). */
  queueRequestsPerMillion: 0.5,
} as const;

export type Prices = Readonly<Record<keyof typeof PRICES, number>>;

/** AWS publishes this for Lambda in af-south-1 (docs/operate/regions.md). For the other prices it is an assumption. */
const CAPE_TOWN = 1.33;
/** These prices are the same in all regions. */
const SAME = /^(firewall|secret|key|custom|alarm|composite|dashboard|hosted)/;

const inCapeTown = Object.entries(PRICES).map(([name, price]) => [
  name,
  SAME.test(name) ? price : price * CAPE_TOWN,
]);

export const PRICES_IN = {
  'eu-west-1': PRICES,
  'af-south-1': { ...Object.fromEntries(inCapeTown), egressGigabyte: 0.154 } as Prices,
} as const satisfies Readonly<Record<string, Prices>>;
