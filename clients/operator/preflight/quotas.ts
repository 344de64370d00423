import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { StageConfig } from '../../../infra/config.ts';
import { keylessTotal } from '../../../infra/constructs/console/console-limits.ts';
import { ROLLOUT_EXECUTIONS, reservedConcurrencyOf } from '../../../infra/stages/capacity.ts';
import { stageFile } from '../../../infra/stages/pin.ts';
import { amount } from '../output.ts';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { type Quota, requestOf } from './quota-requests.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Lambda and API Gateway return the quotas that apply. Service Quotas has shown 10,000 in regions with 2,500 requests
 * per second (re:Post, "API Gateway throttling discrepancy"), so it only serves to request increases.
 */
const CONCURRENCY: Quota = { serviceCode: 'lambda', quotaCode: 'L-B99A9384' };
/** AWS reduces it in new accounts (Lambda Developer Guide, "Quotas"). */
const DEFAULT_CONCURRENCY = 1_000;
const GATEWAY_RATE: Quota = { serviceCode: 'apigateway', quotaCode: 'L-8A5B8E43' };

export async function checkConcurrency(world: World): Promise<Row[]> {
  const check = 'lambda quota';
  const { config, region } = world;
  const { accountConcurrency = 0 } = config.operations ?? {};
  const client = new LambdaClient({ ...CLIENT_SETTINGS, region });
  const { AccountLimit } = await call('lambda:GetAccountSettings', () =>
    client.send(new GetAccountSettingsCommand()),
  );
  const quota = AccountLimit?.ConcurrentExecutions ?? 0;
  // The synthesis fits the reservations into accountConcurrency.
  if (quota < accountConcurrency) {
    const { text, fix } = await requestOf(CONCURRENCY, accountConcurrency, world);
    return [
      fault(
        check,
        `The account allows ${amount(quota)} concurrent executions in ${region}, but the stage is set up for ${amount(accountConcurrency)}. Requests above the quota would fail. ${text}`,
        ...fix,
        `# Until the quota is raised, set operations.accountConcurrency in ${stageFile(config.stage)} to ${quota}${config.operations?.rollout && quota < ROLLOUT_EXECUTIONS ? ', and remove operations.rollout' : ''}.`,
      ),
    ];
  }
  if (!lacksReservations(config)) {
    const finding = `${amount(quota)} concurrent executions; accountConcurrency is ${amount(accountConcurrency)}.`;
    return [ok(check, finding)];
  }
  const finding = `With accountConcurrency ${accountConcurrency}, no function has reserved concurrency: test traffic and scheduled functions share all executions with live traffic.`;
  const setting = `operations.accountConcurrency in ${stageFile(config.stage)}`;
  const deploy = `npm run deploy -- -c stage=${config.stage}`;
  if (quota >= DEFAULT_CONCURRENCY)
    return [
      fault(
        check,
        finding,
        `# The account allows ${quota}. Set ${setting} to this number, then deploy:`,
        deploy,
      ),
    ];
  const { text, fix } = await requestOf(CONCURRENCY, DEFAULT_CONCURRENCY, world);
  const after = `# When the quota is raised, set ${setting} to the new quota, then deploy:`;
  return [fault(check, `${finding} ${text}`, ...fix, after, deploy)];
}

/** False for dev, which has no live traffic, and for stages with their own reservations. */
function lacksReservations(config: StageConfig): boolean {
  if (config.stage === 'dev' || config.reservedConcurrency) return false;
  return Object.keys(reservedConcurrencyOf(config)).length === 0;
}

/**
 * For all requests without a key and one route with a key together. The synthesis checks it with the quota in the
 * settings.
 */
export async function checkGatewayThrottle(world: World): Promise<Row[]> {
  const check = 'gateway quota';
  const { config, region } = world;
  const { throttling } = config;
  const keyless = keylessTotal(config);
  const needed = {
    rate: throttling.rateLimit + keyless.rateLimit,
    burst: throttling.burstLimit + keyless.burstLimit,
  };
  const client = new APIGatewayClient({ ...CLIENT_SETTINGS, region });
  const { throttleSettings } = await call('apigateway:GET', () => client.send(new GetAccountCommand()));
  const { rateLimit: rate = 0, burstLimit: burst = 0 } = throttleSettings ?? {};
  const adapt = [
    `# ${needed.rate > rate ? 'Until the quota is raised, set' : 'Set'} operations.accountThrottling in ${stageFile(config.stage)} to { rateLimit: ${rate}, burstLimit: ${burst} },`,
    '# and lower throttling or keylessThrottling far enough for the synthesis to succeed. Then deploy:',
    `npm run deploy -- -c stage=${config.stage}`,
  ];
  const rows: Row[] = [];
  if (needed.rate > rate) {
    const { text, fix } = await requestOf(GATEWAY_RATE, needed.rate, world);
    rows.push(
      fault(
        check,
        `The account allows ${amount(rate)} requests per second in ${region}, but the stage needs ${amount(needed.rate)}: throttling.rateLimit is ${amount(throttling.rateLimit)}, and requests without an API key may use ${amount(keyless.rateLimit)}. ${text}`,
        ...fix,
        ...adapt,
      ),
    );
  }
  // AWS derives it from the rate (API Gateway Developer Guide, "Quotas").
  if (needed.burst > burst)
    rows.push(
      fault(
        check,
        `The account allows a burst of ${amount(burst)} requests in ${region}, but the stage needs ${amount(needed.burst)}: throttling.burstLimit is ${amount(throttling.burstLimit)}, and requests without an API key may use ${amount(keyless.burstLimit)}. This quota cannot be raised separately: AWS derives it from the rate.`,
        ...adapt,
      ),
    );
  if (rows.length > 0) return rows;
  const finding = `${amount(rate)} requests per second, burst ${amount(burst)}; the stage needs ${amount(needed.rate)} and ${amount(needed.burst)}.`;
  return [ok(check, finding)];
}
