import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../../shared/core/database.ts';
import { newOperationId, newRequestId } from '../../../../shared/core/ids.ts';
import type { WalletId } from '../../../../shared/core/keys.ts';
import { REAL_TOOLS } from '../../../../shared/ledger/dependencies.ts';
import { sweepHolds } from '../../../../shared/ledger/sweep.ts';
import { creditWallet, evenOut } from '../../../../shared/ledger/top-up.ts';
import { functionInstance, type LedgerRequest, type LedgerResponse } from '../../../ledger/request.ts';
import { realTables, type Tables } from '../../../ledger/storage/database.ts';
import { WriteLimiter } from './write-limiter.ts';

/** One run: function instances that verify without a pause, all on one wallet. */
export interface Load {
  readonly wallet: WalletId;
  readonly shards: number;
  readonly instances: number;
  readonly unitsPerSecond: number;
  readonly registryLatencyMs: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface Carried {
  readonly perSecond: number;
  /** Every answer of the run by its code; all should be VERIFIED. */
  readonly answers: Readonly<Record<string, number>>;
  /** Write units that a write of a shard took on average. */
  readonly unitsPerWrite: number;
  /** Writes that met a transaction on their item and had to be sent again. */
  readonly conflicts: number;
  readonly topUps: number;
}

const HOST = { tools: REAL_TOOLS, run: <T>(act: () => T) => act() };
const CREDITS = 1_000_000;
/** Top-ups are transactions, the only ones that a busy wallet meets. */
const TOP_UP_EVERY_MS = 1_000;

export async function carry(load: Load, prefix: string): Promise<Carried> {
  const limiter = new WriteLimiter(load.unitsPerSecond);
  const tables = limitedTables(limiter, prefix);
  await open(load, prefix);
  const answers: Record<string, number> = {};
  let isOver = false;
  let done = 0;
  const verify = async () => {
    const run = functionInstance(HOST, limitedTables(limiter, prefix));
    while (!isOver) {
      const { code }: LedgerResponse = await run(requestOf(load));
      answers[code] = (answers[code] ?? 0) + 1;
      done += 1;
    }
  };
  let topUps = 0;
  const topUp = async () => {
    for (; !isOver; await sleep(TOP_UP_EVERY_MS)) {
      const order = { ...ORDER, reference: `during-${topUps}`, amount: 1 };
      await creditWallet(load.wallet, load.shards, order, tables, REAL_TOOLS);
      topUps += 1;
    }
  };
  const working = Promise.all([topUp(), ...Array.from({ length: load.instances }, verify)]);
  await Promise.race([sleep(load.warmUpMs), working]);
  const [doneBefore, startedMs] = [done, performance.now()];
  await Promise.race([sleep(load.measuredMs), working]);
  const perSecond = ((done - doneBefore) * 1000) / (performance.now() - startedMs);
  isOver = true;
  await working;
  const { conflicts, units, writes } = limiter;
  return { perSecond, answers, unitsPerWrite: units / writes, conflicts, topUps };
}

const ORDER = { kind: 'TOP_UP', actor: 'bench', reason: '' } as const;

async function open({ wallet, shards }: Load, prefix: string): Promise<void> {
  const tables = realTables(connect(), connect(1), prefix);
  for (let shard = 0; shard < shards; shard += 1) await tables.shards.createShard(wallet, shard);
  await creditWallet(wallet, shards, { ...ORDER, reference: 'opening', amount: CREDITS }, tables, REAL_TOOLS);
  await evenOut(wallet, shards, tables.shards, REAL_TOOLS);
}

/** Settles what the runs left: every hold is past its expiry by the sweeper's clock. */
export async function settle(prefix: string): Promise<void> {
  const tables = realTables(connect(), connect(1), prefix);
  const later = { ...REAL_TOOLS, nowMs: () => Date.now() + 60_000 };
  await sweepHolds(tables, later, (error) => {
    throw error;
  });
}

function limitedTables(limiter: WriteLimiter, prefix: string): Tables {
  const [client, onceClient] = [connect(), connect(1)];
  for (const one of [client, onceClient]) limiter.limit(one);
  return realTables(client, onceClient, prefix);
}

function requestOf({ wallet, shards, registryLatencyMs }: Load): LedgerRequest {
  const operationId = newOperationId();
  return {
    ...{ wallet, shards, operationId, cost: 1, number: operationId },
    ...{ requestId: newRequestId(), requestedAtMs: Date.now() },
    registry: { latencyMs: registryLatencyMs, outcome: 'found' },
  };
}
