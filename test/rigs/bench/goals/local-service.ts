import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDbLocal } from '../../../../infra/local/aws/dynamodb-local.ts';
import { type LocalService, startLocalService } from '../../../../infra/local/local-service.ts';
import { operator } from '../../../../shared/operators/operator.ts';
import { deploymentFrom } from '../../../support/deployment-from.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import type { Flow } from '../samples/flow.ts';
import type { Load } from '../samples/load.ts';
import { type Line, timesOf } from './goal.ts';

const CREDITS = 1_000_000;
const MANY_CLIENTS = 8;
/** Requests in each round, and once before all rounds. Each of a function's four processes needs 500 to become fast. */
const LOAD = { warmUp: 60, counted: 300, warmUpOnce: 2_000 };

interface Target {
  readonly baseUrl: string;
  /** A live key with credits for all rounds. */
  readonly key: string;
  readonly databaseEndpoint: string;
}

/**
 * Measures goal 9: the time of a verification by the service that `npm start` runs, compared with its calls to DynamoDB
 * Local alone, in the same order. Also compares the service's throughput with eight clients and with one.
 */
export async function localServiceGoals(rounds: number): Promise<Line[]> {
  await using cleanup = new AsyncDisposableStack();
  const workDirectory = mkdtempSync(join(tmpdir(), 'bench-service-'));
  cleanup.defer(() => rmSync(workDirectory, { recursive: true }));
  // The bench starts DynamoDB Local as the service would, so that the floor can be measured in the same instance.
  const { endpoint, stop } = await startDynamoDbLocal({ logFile: join(workDirectory, 'dynamodb.log') });
  cleanup.defer(stop);
  const service = await startServiceOn(endpoint, workDirectory);
  cleanup.defer(service.stop);
  await topUp(service);
  const key = service.credentials?.live.apiKey ?? '';
  // Awaited here, because the service stops when this function returns.
  return await goalsOf({ baseUrl: service.baseUrl, key, databaseEndpoint: endpoint }, rounds, LOAD);
}

/** Measures goal 9 with a running service. */
export async function goalsOf(
  { baseUrl, key, databaseEndpoint }: Target,
  rounds: number,
  { warmUp, counted, warmUpOnce }: typeof LOAD,
): Promise<Line[]> {
  const url = `${baseUrl}/v1/ng/nin-basic`;
  const amounts = [String(warmUp), String(counted)];
  await sample<Load>('load', [url, key, String(MANY_CLIENTS), String(warmUpOnce), '1']);
  const measure = async (which: 'one' | 'many' | 'floor') => {
    if (which === 'floor') return sample<Flow>('floor', [databaseEndpoint, ...amounts]);
    const clients = which === 'one' ? 1 : MANY_CLIENTS;
    const load = await sample<Load>('load', [url, key, String(clients), ...amounts]);
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} verifications failed.`);
    return load;
  };
  const taken = await inTurn(['floor', 'one', 'many'], rounds, measure);
  const medians = (samples: readonly (Flow | Load)[]) => samples.map(({ medianMs }) => medianMs);
  const perSecond = (samples: readonly (Flow | Load)[]) =>
    samples.map((one) => ('perSecond' in one ? one.perSecond : Number.NaN));
  return [
    timesOf('the same five calls, sent to DynamoDB Local alone', {
      ...{ goal: '9a', what: 'local service, one client, time of a verification' },
      measured: ratioOf(medians(taken.one), medians(taken.floor)),
      ...{ goalValue: 1.3, failsAt: 6 },
    }),
    timesOf('the same with one client', {
      ...{ goal: '9b', what: `local service, ${MANY_CLIENTS} clients, verifications per second` },
      measured: ratioOf(perSecond(taken.many), perSecond(taken.one)),
      ...{ goalValue: 1, failsAt: 0.7, isLowerBound: true },
    }),
  ];
}

/** Starts the service as `npm start` does, with a database that is already running. */
async function startServiceOn(endpoint: string, workDirectory: string): Promise<LocalService> {
  const before = process.env['DYNAMODB_ENDPOINT'];
  process.env['DYNAMODB_ENDPOINT'] = endpoint;
  try {
    return await startLocalService({ workDirectory });
  } finally {
    if (before === undefined) delete process.env['DYNAMODB_ENDPOINT'];
    else process.env['DYNAMODB_ENDPOINT'] = before;
  }
}

/** Adds credits for all rounds to the demo organisation. */
async function topUp({ adminAwsEnvironment, credentials }: LocalService): Promise<void> {
  const deployment = deploymentFrom(adminAwsEnvironment);
  const wallet = { env: 'live', organisationId: credentials?.organisation ?? '' } as const;
  const order = { amount: CREDITS, reference: 'bench', actor: 'bench', reason: 'credits for all rounds' };
  await operator(deployment).topUp(wallet, order);
  deployment.client.destroy();
}
