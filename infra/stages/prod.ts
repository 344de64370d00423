import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/**
 * For customers. Set `account`, `region`, `registries`, `domain` and `alarmEmail` before the first deployment
 * (docs/operate/first-deployment.md). The file contains no account or region, because every operator has their own. Until you add
 * them, nothing is synthesised or deployed.
 */
export const prod: StageConfig = {
  ...COMMON,
  stage: 'prod',
  throttling: { rateLimit: 1_000, burstLimit: 2_000 },
  logRetentionDays: 365,
  customerManagedKey: true,
  operations: { ...COMMON_OPERATIONS, rollout: 'canary', firewall: { requestsPerAddressPerMinute: 12_000 } },
};
