import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/** The rehearsal of prod: the same rollout and the same firewall, at less traffic. */
export const staging: StageConfig = {
  ...COMMON,
  stage: 'staging',
  operations: { ...COMMON_OPERATIONS, rollout: 'canary', firewall: { requestsPerAddress: 10_000 } },
};
