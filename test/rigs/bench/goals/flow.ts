import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from '../../../../shared/core/database.ts';
import { shardTable } from '../../../../shared/ledger/tables/shard-table.ts';
import { countUnits } from '../cost/units.ts';
import { installReferences } from '../install-references.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import { type Postgres, startPostgres } from '../peers/postgres.ts';
import type { Flow } from '../samples/flow.ts';
import type { Load } from '../samples/load.ts';
import type { Stage } from '../stage/stage.ts';
import type { SentCall } from '../stage/wire.ts';
import type { Variants } from '../variants.ts';
import { comparison, exact, type Line, timesOf } from './goal.ts';

/** The numbers of warm-up requests and of measured requests. The compiler is busy during the first 500 requests. */
const FLOW = { warmUp: 700, counted: 800 };

/** Measures goal 5: the calls of one verification that finds a record, except those of the rate limiter. */
export async function callGoals({ live, environment }: Stage): Promise<Line[]> {
  const sent = await sample<SentCall[]>('calls', [live], environment);
  const calls = sent.filter(({ operation }) => operation !== 'look-up').filter((call) => !isLimiter(call));
  if (calls.length === 0) throw new Error('The verification sent no calls.');
  const reads = calls.filter(({ operation }) => /Get|Query/.test(operation)).length;
  const { writeUnits } = countUnits(calls);
  const line = (
    goal: string,
    what: string,
    value: number,
    goalValue: number,
    unit: Line['unit'],
    failsAt = goalValue,
  ): Line => ({
    ...{ goal, what, reference: 'counted, without the rate limiter', unit },
    ...{ measured: exact(value), goalValue, failsAt },
  });
  return [
    line('5a', 'sequential reads of one verification', reads, 1, 'calls'),
    line('5b', 'sequential writes of one verification', calls.length - reads, 3, 'calls'),
    line('5c', 'write units of one verification', writeUnits, 5, 'units', 6),
  ];
}

function isLimiter({ input }: SentCall): boolean {
  return JSON.stringify(input['Key'] ?? '').includes('RATE#');
}

const PEER = 'Fastify and PostgreSQL';

/**
 * Measures goals 6 and 7 and row 16: verifications by a function, the calls of a verification alone, and, if PostgreSQL
 * is installed, a server with Fastify and PostgreSQL.
 */
export async function flowGoals(
  variants: Variants,
  stage: Stage,
  rounds: number,
  amounts = FLOW,
): Promise<Line[]> {
  installReferences();
  await using cleanup = new AsyncDisposableStack();
  const postgres = await startPostgres();
  cleanup.defer(() => postgres?.stop());
  const before = await available(stage);
  const numbers = [String(amounts.warmUp), String(amounts.counted)];
  const database = stage.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const measures = {
    deployed: () => sample<Flow>('flow', [variants.deployed, stage.live, ...numbers], stage.environment),
    floor: () => sample<Flow>('floor', [database, ...numbers]),
    peer: () => measurePeer(stage, amounts, postgres),
  };
  const names = ['deployed', 'floor', 'peer'] as const;
  const taken = await inTurn(names, rounds, (name) => measures[name]());
  const ratio = (part: 'cpuMs' | 'medianMs', reference: 'floor' | 'peer') =>
    ratioOf(
      taken.deployed.map((one) => one[part]),
      taken[reference].map((one) => one[part]),
    );
  const failed = taken.deployed.reduce((sum, one) => sum + one.failed, 0);
  // The first round is not measured, but its requests were charged too.
  const served = (amounts.warmUp + amounts.counted) * (rounds + 1);
  const wrong = failed + Math.abs(before - (await available(stage)) - served);
  const compared = [
    comparison({
      ...{ goal: '16a', what: 'user processor time of a verification, warm' },
      ...{ reference: `${PEER}: the server process`, measured: ratio('cpuMs', 'peer') },
    }),
    comparison({
      ...{ goal: '16b', what: 'time of a verification, function alone' },
      ...{ reference: `${PEER}, through HTTP on loopback`, measured: ratio('medianMs', 'peer') },
    }),
  ];
  return [
    timesOf('the same five calls, sent to DynamoDB Local alone', {
      // 0.8 times a naive implementation, which took 4.35 times as long as its calls alone on 2026-11-29.
      ...{ goal: '6', what: 'user processor time of a verification, warm', goalValue: 3.5, failsAt: 7 },
      measured: ratio('cpuMs', 'floor'),
    }),
    {
      ...{ goal: '7b', what: `failed or not charged exactly once, of ${served}`, reference: 'counted' },
      ...{ unit: 'requests', measured: exact(wrong), goalValue: 0, failsAt: 0 },
    },
    ...(postgres ? compared : compared.map((line) => ({ ...line, notFlow: 'PostgreSQL is not installed' }))),
  ];
}

async function available({ organisationId }: Stage): Promise<number> {
  const place = { wallet: { env: 'live', organisationId }, shard: 0 } as const;
  const [found] = await shardTable(connect(), 'Wallets').getShards([place]);
  return found?.row.available ?? 0;
}

async function measurePeer(stage: Stage, amounts: typeof FLOW, postgres?: Postgres): Promise<Flow> {
  if (!postgres) return { cpuMs: Number.NaN, medianMs: Number.NaN, failed: 0 };
  await postgres.empty();
  const file = join(import.meta.dirname, '../samples/peer.ts');
  const child = fork(file, [stage.live, postgres.socketDirectory], {
    env: { ...process.env, ...stage.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  try {
    const [url] = (await once(child, 'message')) as [string];
    const load = (amount: number) =>
      sample<Load>('load', [`${url}/v1/ng/nin-basic`, stage.live, '1', '0', String(amount)]);
    await load(amounts.warmUp);
    await cpuOf(child);
    const { medianMs, failed } = await load(amounts.counted);
    if (failed > 0) throw new Error(`${failed} of ${amounts.counted} verifications failed.`);
    return { cpuMs: (await cpuOf(child)) / amounts.counted, medianMs, failed };
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('report');
  const [ms] = (await once(child, 'message')) as [number];
  return ms;
}
