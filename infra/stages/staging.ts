import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/** For rehearsals of prod: the same rollout, and a firewall and throttling for less traffic. */
export const staging: StageConfig = {
  ...COMMON,
  stage: 'staging',
  operations: { ...COMMON_OPERATIONS, rollout: 'canary', firewall: { requestsPerAddress: 10_000 } },
};
