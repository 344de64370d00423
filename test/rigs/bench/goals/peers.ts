import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installReferences } from '../install-references.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import { type Postgres, startPostgres } from '../peers/postgres.ts';
import { seed } from '../references/naive.ts';
import type { Flow } from '../samples/flow.ts';
import type { Load } from '../samples/load.ts';
import type { Stage } from '../stage/stage.ts';
import type { Variants } from '../variants.ts';
import { comparison, exact, type Line } from './goal.ts';

/** The numbers of warm-up requests and of measured requests. */
const LOAD = { warmUp: 700, counted: 500 };
type Amounts = typeof LOAD;
type Peer = 'fastify' | 'express';
type Measured = Pick<Flow, 'cpuMs' | 'medianMs'>;

const PEERS = {
  fastify: { goal: '16', name: 'Fastify and PostgreSQL' },
  express: { goal: '17', name: 'naive implementation with Express' },
} as const satisfies Record<Peer, object>;

/** Measures rows 16 and 17: comparisons with other implementations, without a goal. */
export async function peerGoals(
  variants: Variants,
  stage: Stage,
  rounds: number,
  amounts: Amounts = LOAD,
): Promise<Line[]> {
  installReferences();
  await seed();
  const postgres = await startPostgres();
  try {
    const peers: Peer[] = postgres ? ['fastify', 'express'] : ['express'];
    const taken = await inTurn(['deployed', ...peers], rounds, (which) =>
      which === 'deployed'
        ? sample<Flow>('flow', [variants.deployed, stage.live, ...texts(amounts)], stage.environment)
        : measurePeer(which, stage, amounts, postgres),
    );
    return [
      ...(postgres ? linesOf('fastify', taken.deployed, taken.fastify) : notInstalled()),
      ...linesOf('express', taken.deployed, taken.express),
    ];
  } finally {
    await postgres?.stop();
  }
}

const texts = ({ warmUp, counted }: Amounts) => [String(warmUp), String(counted)];

function linesOf(peer: Peer, own: readonly Measured[], others: readonly Measured[]): Line[] {
  const { goal, name } = PEERS[peer];
  const of = (part: keyof Measured) =>
    ratioOf(
      own.map((one) => one[part]),
      others.map((one) => one[part]),
    );
  return [
    comparison({
      ...{ goal: `${goal}a`, what: 'user processor time of a verification, warm' },
      ...{ reference: `${name}: the server process`, measured: of('cpuMs') },
    }),
    comparison({
      ...{ goal: `${goal}b`, what: 'time of a verification, function alone' },
      ...{ reference: `${name}, through HTTP on loopback`, measured: of('medianMs') },
    }),
  ];
}

function notInstalled(): Line[] {
  const none = [{ cpuMs: Number.NaN, medianMs: Number.NaN }];
  return linesOf('fastify', none, none).map((line) => ({
    ...line,
    ...{ measured: exact(Number.NaN), notMeasured: 'PostgreSQL is not installed' },
  }));
}

/** Runs one server process, with one client in another process. */
async function measurePeer(
  peer: Peer,
  stage: Stage,
  { warmUp, counted }: Amounts,
  postgres: Postgres | undefined,
): Promise<Measured> {
  await postgres?.empty();
  const file = join(import.meta.dirname, '../samples/peer.ts');
  const child = fork(file, [peer, stage.live, postgres?.socketDirectory ?? ''], {
    env: { ...process.env, ...stage.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  try {
    const [url] = (await once(child, 'message')) as [string];
    await load(url, stage.live, warmUp);
    await taken(child);
    const { medianMs } = await load(url, stage.live, counted);
    return { cpuMs: (await taken(child)) / counted, medianMs };
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}

async function load(url: string, key: string, amount: number): Promise<Load> {
  const result = await sample<Load>('load', [`${url}/v1/ng/nin-basic`, key, '1', '0', String(amount)]);
  if (result.failed > 0) throw new Error(`${result.failed} of ${amount} verifications failed.`);
  return result;
}

async function taken(child: ChildProcess): Promise<number> {
  child.send('report');
  const [ms] = (await once(child, 'message')) as [number];
  return ms;
}
