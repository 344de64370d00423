import { ID_TYPES } from '../../shared/core/id-types.ts';
import type { StageConfig } from '../config.ts';
import { COMMON } from './common.ts';

/** For `npm start` and tests: the sandbox replaces every registry, and throttling is practically off. */
export const local: StageConfig = {
  ...COMMON,
  stage: 'local',
  // The same placeholder as in docs/openapi.json.
  supportContact: 'support@example.com',
  // All function instances and DynamoDB Local share the processors of one machine.
  databaseTimeoutMs: 8_000,
  // So that a missing permission on the key is missing here too. There is no encryption on this machine.
  customerManagedKey: true,
  // So that one developer can do everything.
  secondPerson: undefined,
  throttling: { rateLimit: 10_000, burstLimit: 10_000 },
  // The tests share one stage, and each organisation has only test keys or many requests at once.
  testTraffic: {
    requestsPerSecond: 10_000,
    concurrentRequests: 1_000,
    perOrganisation: { requestsPerSecond: 10_000, concurrentRequests: 1_000 },
  },
  registries: Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
};
