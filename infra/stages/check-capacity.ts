import type { StageConfig } from '../config.ts';
import { EXECUTIONS_PER_TEST_REQUEST, fits, ROLLOUT_EXECUTIONS, UNRESERVED_EXECUTIONS } from './capacity.ts';

/** Throws if one kind of traffic could use up the capacity of the others. `file` is the stage's file. */
export function checkCapacity(config: StageConfig, file: string): void {
  checkReservedConcurrency(config, file);
  checkRollout(config, file);
  checkTestTraffic(config, file);
  checkWebhooks(config, file);
  checkFirewall(config, file);
}

/** CloudFormation would reject them only after changing other functions. */
function checkReservedConcurrency({ reservedConcurrency = {}, operations }: StageConfig, file: string): void {
  if (!operations || fits(reservedConcurrency, operations.accountConcurrency)) return;
  throw new Error(
    `${file} reserves too much concurrency. Lower reservedConcurrency: the sum of its values must be at least ` +
      `${UNRESERVED_EXECUTIONS} below operations.accountConcurrency (${operations.accountConcurrency}).`,
  );
}

/** Otherwise, Lambda would throttle checks of new versions, and CodeDeploy would roll back good ones. */
function checkRollout({ operations }: StageConfig, file: string): void {
  if (!operations?.rollout || operations.accountConcurrency >= ROLLOUT_EXECUTIONS) return;
  throw new Error(
    `${file} sets operations.rollout, whose checks of new versions need ${ROLLOUT_EXECUTIONS} concurrent executions at once. ` +
      `With operations.accountConcurrency ${operations.accountConcurrency}, remove rollout until AWS has raised the quota.`,
  );
}

/**
 * One row counts all test traffic: two writes per look-up, of one unit for each KB, and DynamoDB accepts 1,000 units a
 * second for one row (test/tables/test-traffic-table.test.ts).
 */
export const MOST_TEST_TRAFFIC = 60;

/** It must leave capacity for live traffic, and one organisation for others. */
function checkTestTraffic({ testTraffic, operations }: StageConfig, file: string): void {
  if (!testTraffic || !operations) return;
  const { perOrganisation } = testTraffic;
  const most = Math.floor(operations.accountConcurrency / 2 / EXECUTIONS_PER_TEST_REQUEST);
  if (testTraffic.concurrentRequests > most)
    throw new Error(
      `${file} sets testTraffic.concurrentRequests to ${testTraffic.concurrentRequests}. Use at most ${most}: each look-up with a ` +
        'test key occupies two executions, and test traffic may occupy at most half of operations.accountConcurrency.',
    );
  for (const name of ['requestsPerSecond', 'concurrentRequests'] as const) {
    if (testTraffic[name] > MOST_TEST_TRAFFIC)
      throw new Error(
        `${file} sets testTraffic.${name} to ${testTraffic[name]}. Use at most ${MOST_TEST_TRAFFIC}.`,
      );
    if (perOrganisation[name] >= testTraffic[name])
      throw new Error(
        `${file} lets one organisation use all the capacity for test traffic. Set testTraffic.perOrganisation.${name} below testTraffic.${name} ` +
          `(${testTraffic[name]}).`,
      );
  }
}

/** Endpoints that do not respond must leave executions for requests. */
function checkWebhooks({ webhookConcurrency = 0, operations }: StageConfig, file: string): void {
  if (!operations) return;
  const most = Math.floor(operations.accountConcurrency / 2);
  if (webhookConcurrency <= most) return;
  throw new Error(
    `${file} sets webhookConcurrency to ${webhookConcurrency}. Use at most ${most}: webhooks may occupy at most half of ` +
      `operations.accountConcurrency (${operations.accountConcurrency}).`,
  );
}

/** Two addresses must not be able to send half of what one route accepts. */
function checkFirewall({ throttling: { rateLimit }, operations }: StageConfig, file: string): void {
  const limit = operations?.firewall?.requestsPerAddressPerMinute ?? 0;
  // During a restore, the rate is 0.
  if (rateLimit === 0 || (2 * limit) / 60 < rateLimit / 2) return;
  throw new Error(
    `${file} sets operations.firewall.requestsPerAddressPerMinute to ${limit}. Use less than ${15 * rateLimit}, or raise throttling.rateLimit ` +
      `(${rateLimit} requests per second): two addresses together must stay below half of it.`,
  );
}
