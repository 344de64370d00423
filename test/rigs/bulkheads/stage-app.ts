import { buildApp } from '../../../infra/app.ts';
import { reservedConcurrencyOf } from '../../../infra/stages/capacity.ts';
import { local } from '../../../infra/stages/local.ts';

/**
 * The CDK app of the stage `local` with a live provider over HTTP. Context: `bulkheads` (`on` or `off`), and
 * `registryTimeoutMs`.
 */
const { bulkheads, registryTimeoutMs = '' } = JSON.parse(process.env['CDK_CONTEXT_JSON'] ?? '{}') as Record<
  string,
  string
>;

/** One organisation may occupy two of the four instances that a function may have by default. */
const testTraffic = {
  requestsPerSecond: 60,
  concurrentRequests: 3,
  perOrganisation: { requestsPerSecond: 30, concurrentRequests: 2 },
};
const { 'sandbox-registry': sandbox = 0 } = reservedConcurrencyOf({
  ...local,
  testTraffic,
  operations: { accountConcurrency: 1_000 },
});

buildApp({
  builtinCloudFormationValidation: false,
  changes: {
    registries: { NIN: ['dojah'] },
    registryTimeoutMs: Number(registryTimeoutMs),
    ...(bulkheads === 'on' && { testTraffic, reservedConcurrency: { 'sandbox-registry': sandbox } }),
  },
}).synth();
