import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/**
 * For rehearsals of prod: the same rollout, and a firewall and throttling for less traffic. Set `account` and `region`
 * before the first deployment, as in prod.
 */
export const staging: StageConfig = {
  ...COMMON,
  stage: 'staging',
  operations: { ...COMMON_OPERATIONS, rollout: 'canary', firewall: { requestsPerAddressPerMinute: 1_200 } },
};
