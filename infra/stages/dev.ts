import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/** Where changes are tried: they take effect at once. */
export const dev: StageConfig = {
  ...COMMON,
  stage: 'dev',
  logRetentionDays: 7,
  logLevel: 'DEBUG',
  operations: COMMON_OPERATIONS,
};
