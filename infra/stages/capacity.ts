import type { TestTrafficLimits } from '../../shared/accounts/test-traffic.ts';
import type { StageConfig } from '../config.ts';
import { INVOKED_BY_API, SANDBOX_REGISTRY, SCHEDULES } from '../routes.ts';

/**
 * Keeps test traffic from taking executions from live traffic and scheduled functions (docs/operate/capacity.md).
 */

/** Lambda requires them. */
export const UNRESERVED_EXECUTIONS = 100;

/** Its route's and the sandbox registry's. */
export const EXECUTIONS_PER_TEST_REQUEST = 2;

/** The second may be started by hand, or for an event that was delivered twice. */
const SCHEDULED_EXECUTIONS = 2;
/** Lambda's limit of a function URL. */
const URL_REQUESTS_PER_EXECUTION = 10;

/** CodeDeploy starts all rollouts of a deployment at once, and each check of a version also invokes the version. */
export const ROLLOUT_EXECUTIONS = 2 * INVOKED_BY_API.length;

/** With more, the row that counts them would need more write units per look-up. */
const MOST_TEST_REQUESTS = 50;
/** With only one, a slow look-up would stop the test traffic of all organisations. */
const LEAST_TEST_REQUESTS = 2;
const LEAST_REQUESTS_PER_SECOND = 5;

/**
 * By default, look-ups may occupy a tenth of the account's executions, and at least five may start each second. Each
 * organisation may use a quarter.
 */
export function testTrafficOf({ testTraffic, operations }: StageConfig): TestTrafficLimits {
  if (testTraffic) return testTraffic;
  const share = Math.floor((operations?.accountConcurrency ?? 0) / 10 / EXECUTIONS_PER_TEST_REQUEST);
  const concurrentRequests = Math.min(MOST_TEST_REQUESTS, Math.max(LEAST_TEST_REQUESTS, share));
  const requestsPerSecond = Math.max(LEAST_REQUESTS_PER_SECOND, concurrentRequests);
  return {
    requestsPerSecond,
    concurrentRequests,
    perOrganisation: {
      requestsPerSecond: Math.ceil(requestsPerSecond / 4),
      concurrentRequests: Math.ceil(concurrentRequests / 4),
    },
  };
}

/** Enough for 200 deliveries a second to endpoints that respond in 200 ms. */
const WEBHOOK_EXECUTIONS = 40;
/** The smallest maximum concurrency that Lambda accepts for an SQS queue. */
export const LEAST_WEBHOOK_EXECUTIONS = 2;

/**
 * By default a tenth of the account's executions (2 to 40): an endpoint that does not respond keeps one busy for 15 s.
 */
export function webhookConcurrencyOf({ webhookConcurrency, operations }: StageConfig): number {
  if (webhookConcurrency !== undefined || !operations) return webhookConcurrency ?? WEBHOOK_EXECUTIONS;
  const share = Math.floor(operations.accountConcurrency / 10);
  return Math.min(WEBHOOK_EXECUTIONS, Math.max(LEAST_WEBHOOK_EXECUTIONS, share));
}

/**
 * By function name; by default none if the quota is too small. Functions of routes have none, because a reservation
 * would also limit them.
 */
export function reservedConcurrencyOf(config: StageConfig): Readonly<Record<string, number>> {
  if (config.reservedConcurrency) return config.reservedConcurrency;
  const { requestsPerSecond, concurrentRequests } = testTrafficOf(config);
  // Twice the budget: the sandbox may run longer than its caller.
  const sandbox = Math.max(2 * concurrentRequests, Math.ceil(requestsPerSecond / URL_REQUESTS_PER_EXECUTION));
  const reserved = {
    [SANDBOX_REGISTRY.name]: sandbox,
    ...Object.fromEntries(SCHEDULES.map(({ name }) => [name, SCHEDULED_EXECUTIONS])),
  };
  return fits(reserved, config.operations?.accountConcurrency ?? 0) ? reserved : {};
}

/** Whether Lambda accepts these reservations. */
export function fits(reserved: Readonly<Record<string, number>>, accountConcurrency: number): boolean {
  const sum = Object.values(reserved).reduce((total, count) => total + count, 0);
  return sum === 0 || sum + UNRESERVED_EXECUTIONS <= accountConcurrency;
}
