import type { StageConfig, Throttling } from '../../config.ts';

/** The API Gateway quota that all REST APIs of an account share in a region. */

/** AWS's default quota for an account, and the lower default in `SMALL_REGIONS`. */
const USUAL_QUOTA: Throttling = { rateLimit: 10_000, burstLimit: 5_000 };
const SMALL_QUOTA: Throttling = { rateLimit: 2_500, burstLimit: 1_250 };

/** API Gateway Developer Guide, "API Gateway account-level quotas, per Region". */
const SMALL_REGIONS: readonly string[] = [
  ...['af-south-1', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-1', 'eu-south-2'],
  ...['il-central-1', 'me-central-1', 'mx-central-1'],
];

/** Returns the quota of the account: the setting, or AWS's default for the region. */
export function accountQuota({ operations, region }: Pick<StageConfig, 'operations' | 'region'>): Throttling {
  const usual = SMALL_REGIONS.includes(region ?? '') ? SMALL_QUOTA : USUAL_QUOTA;
  return operations?.accountThrottling ?? usual;
}
