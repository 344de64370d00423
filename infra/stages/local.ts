import { ID_TYPES } from '../../shared/core/id-types.ts';
import type { StageConfig } from '../config.ts';
import { COMMON } from './common.ts';

/** The sandbox replaces every registry, and throttling is effectively disabled. */
export const local: StageConfig = {
  ...COMMON,
  stage: 'local',
  // The same placeholder as in docs/openapi.json.
  supportContact: 'support@example.com',
  // All instances and DynamoDB Local share one machine.
  databaseTimeoutMs: 8_000,
  // Reveals a missing permission. The local runtime encrypts nothing.
  customerManagedKey: true,
  auditArchive: { retentionDays: 1 },
  // One developer must be able to do everything.
  secondPerson: undefined,
  throttling: { rateLimit: 10_000, burstLimit: 10_000 },
  // All tests share this stage.
  testTraffic: {
    requestsPerSecond: 10_000,
    concurrentRequests: 1_000,
    perOrganisation: { requestsPerSecond: 10_000, concurrentRequests: 1_000 },
  },
  // An invented seller. The PAYMENTS secret contains the address of the test double.
  money: {
    seller: {
      name: 'Identity Verification Demo Ltd',
      address: ['1 Example Street', 'Victoria Island', 'Lagos'],
      taxNumber: '00000000-0001',
      email: 'finance@example.com',
    },
    vat: [{ from: '2020-02-01', basisPoints: 750 }],
    documentPrefix: 'IDV',
    leastCredits: 10,
    mostCredits: 1_000_000,
    paystackUrl: 'http://127.0.0.1',
  },
  // The local runtime provides the sign-in and writes emails to a directory.
  console: {
    signInPrefix: 'identity-local',
    mailFrom: 'console@example.com',
    terms: { version: '2026-11', url: 'https://example.com/terms' },
    testCredits: 1_000,
    // Not used: the pages link to the local site.
    documentationUrl: 'https://example.com/docs',
  },
  registries: Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
};
