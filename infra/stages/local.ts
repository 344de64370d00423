import { ID_TYPES } from '../../shared/core/id-types.ts';
import type { StageConfig } from '../config.ts';
import { COMMON } from './common.ts';

/** This machine: the sandbox stands in for every registry, and nothing slows a test down. */
export const local: StageConfig = {
  ...COMMON,
  stage: 'local',
  // All instances and DynamoDB Local share this machine's processors.
  databaseTimeoutMs: 8_000,
  throttling: { rateLimit: 10_000, burstLimit: 10_000 },
  registries: Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
};
