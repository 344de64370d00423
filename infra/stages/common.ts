import type { OperationsConfig, StageConfig } from '../config.ts';

/** Settings that all stages share unless they override them. */
export const COMMON = {
  throttling: { rateLimit: 100, burstLimit: 200 },
  keylessThrottling: {
    routes: { rateLimit: 18, burstLimit: 36 },
    unknown: { rateLimit: 1, burstLimit: 2 },
  },
  logRetentionDays: 30,
  verificationLogRetentionDays: 365,
  registries: {},
  registryTimeoutMs: 20_000,
  nubanResolve: false,
  databaseTimeoutMs: 2_000,
  logLevel: 'INFO',
  functionMemoryMb: 512,
  lowBalanceCredits: 100,
  secondPerson: { creditsAbove: 10_000 },
  customerManagedKey: false,
  // Seven years.
  auditArchive: { retentionDays: 2_557 },
} as const satisfies Omit<StageConfig, 'stage'>;

export const COMMON_OPERATIONS = { accountConcurrency: 1_000 } as const satisfies OperationsConfig;
