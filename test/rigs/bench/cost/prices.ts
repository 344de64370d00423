/**
 * List prices in US dollars, region us-east-1, free tiers ignored, as public price overviews stated them on
 * 21 November 2026 (DynamoDB since its cut of November 2024). Other regions cost up to a third more: af-south-1 does.
 */
export const PRICED_ON = '2026-11-21';

export const PRICES = {
  /** API Gateway, REST API, each million up to 333 million a month. */
  requestsPerMillion: 3.5,
  invocationsPerMillion: 0.2,
  /** Lambda on arm64. */
  gigabyteSecond: 0.0000133334,
  /** DynamoDB on demand. */
  writeUnitsPerMillion: 0.625,
  readUnitsPerMillion: 0.125,
  tableGigabyteMonth: 0.25,
  /** Point-in-time recovery. */
  backupGigabyteMonth: 0.2,
  egressGigabyte: 0.09,
  logGigabyte: 0.5,
  /** AWS WAF's requests; its access list and rules cost $7 a month besides. */
  firewallPerMillion: 0.6,
  secretMonth: 0.4,
} as const;
