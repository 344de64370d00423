import type { StageConfig } from '../config.ts';
import { COMMON, COMMON_OPERATIONS } from './common.ts';

/** For development. A deployment shifts all traffic at once, and logs are verbose. */
export const dev: StageConfig = {
  ...COMMON,
  stage: 'dev',
  logRetentionDays: 7,
  logLevel: 'DEBUG',
  // So that the bucket can be deleted a day after the stage.
  auditArchive: { retentionDays: 1 },
  // The quota of a new account, so that every developer can deploy.
  operations: { ...COMMON_OPERATIONS, accountConcurrency: 10 },
};
