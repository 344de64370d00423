import type { TestTrafficLimits } from '../../shared/accounts/test-traffic.ts';
import type { StageConfig } from '../config.ts';
import { SANDBOX_REGISTRY, SCHEDULES } from '../routes.ts';

/**
 * How the executions of the account are divided, so that test traffic cannot take executions from live traffic and
 * scheduled functions (docs/operate/operations.md, "Capacity"). The defaults follow from the quota `accountConcurrency`.
 */

/** The number of executions that Lambda requires to remain unreserved. */
export const UNRESERVED_EXECUTIONS = 100;

/** Each look-up with a test key occupies two executions: one of its route and one of the sandbox registry. */
export const EXECUTIONS_PER_TEST_REQUEST = 2;

/** One run, and one more that was started by hand or whose event was delivered twice. */
const SCHEDULED_EXECUTIONS = 2;
/** Through a function URL, Lambda serves at most ten requests per second for each reserved execution. */
const URL_REQUESTS_PER_EXECUTION = 10;

/**
 * By default, at most this many look-ups with test keys run concurrently. With more, the row that counts them would
 * need more write units per look-up.
 */
const MOST_TEST_REQUESTS = 50;
/** With only one, a slow look-up would stop the test traffic of all organisations. */
const LEAST_TEST_REQUESTS = 2;
const LEAST_REQUESTS_PER_SECOND = 5;

/**
 * Returns the budget for test traffic. By default, look-ups may occupy a tenth of the account's executions, within the
 * limits above. As many look-ups may start each second as may run concurrently, but at least five. Each organisation
 * may use a quarter of the budget.
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
 * Returns the maximum number of executions that deliver webhooks at once. By default, it is only a tenth of the
 * account's executions (from 2 to 40), because an endpoint that does not respond keeps an execution busy for 15 s.
 */
export function webhookConcurrencyOf({ webhookConcurrency, operations }: StageConfig): number {
  if (webhookConcurrency !== undefined || !operations) return webhookConcurrency ?? WEBHOOK_EXECUTIONS;
  const share = Math.floor(operations.accountConcurrency / 10);
  return Math.min(WEBHOOK_EXECUTIONS, Math.max(LEAST_WEBHOOK_EXECUTIONS, share));
}

/**
 * Returns the reserved concurrency by function name. By default, nothing is reserved if the account's quota is too
 * small. Functions of routes have no reservation, because a reservation would also limit them. They share the rest.
 */
export function reservedConcurrencyOf(config: StageConfig): Readonly<Record<string, number>> {
  if (config.reservedConcurrency) return config.reservedConcurrency;
  const { requestsPerSecond, concurrentRequests } = testTrafficOf(config);
  // Twice what the budget permits, because the sandbox may run for a moment longer than its caller.
  const sandbox = Math.max(2 * concurrentRequests, Math.ceil(requestsPerSecond / URL_REQUESTS_PER_EXECUTION));
  const reserved = {
    [SANDBOX_REGISTRY.name]: sandbox,
    ...Object.fromEntries(SCHEDULES.map(({ name }) => [name, SCHEDULED_EXECUTIONS])),
  };
  return fits(reserved, config.operations?.accountConcurrency ?? 0) ? reserved : {};
}

/** Returns whether Lambda accepts these reservations in an account with this quota. */
export function fits(reserved: Readonly<Record<string, number>>, accountConcurrency: number): boolean {
  const sum = Object.values(reserved).reduce((total, count) => total + count, 0);
  return sum === 0 || sum + UNRESERVED_EXECUTIONS <= accountConcurrency;
}
