import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Clock, MINUTE_MS } from '../../../shared/core/clock.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import { claimKey, type IdempotencyClaim } from '../../../shared/ledger/claim-key.ts';
import {
  type InstanceMemory,
  instanceMemory,
  type LedgerTables,
} from '../../../shared/ledger/dependencies.ts';
import { chargeOperation, voidOperation } from '../../../shared/ledger/end-operation.ts';
import type { Operation } from '../../../shared/ledger/operation.ts';
import { reserveCredit } from '../../../shared/ledger/reserve.ts';
import { chargedRow, voidRow } from '../../../shared/ledger/rows/charge.ts';
import { IDEMPOTENCY_LIFE_SECONDS, REPLAY_WINDOW_MS } from '../../../shared/ledger/rows/idempotency.ts';
import { HOLD_LIFE_MS, MAX_HOLDS, type PlacedHold } from '../../../shared/ledger/rows/wallet.ts';
import { sweepHolds } from '../../../shared/ledger/sweep.ts';
import { chargeTable } from '../../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { idempotencyTable } from '../../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../../shared/ledger/tables/wallet-table.ts';
import { checkCreditOrder, creditWallet, evenOut } from '../../../shared/ledger/top-up.ts';
import { erasureTable } from '../../../shared/verifications/erasure-table.ts';
import { logTable } from '../../../shared/verifications/log-table.ts';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { type MemoryClient, memoryClient } from '../payments/memory-payments.ts';

/**
 * Single requests against tables in memory, at the limits of the ledger's rules. The histories in test/ledger combine
 * requests, faults and times at random, and rarely reach these limits.
 */

const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;
const STARTED_MS = Date.parse('2026-11-22T12:00:00.000Z');
const FACTS = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 10 } as const;

let memory: MemoryClient;
let tables: LedgerTables;
let instance: InstanceMemory;
let nowMs: number;
const clock: Clock = { nowMs: () => nowMs, pause: async () => undefined, random: () => 0.5 };

beforeEach(() => {
  memory = memoryClient();
  const { client } = memory;
  tables = {
    wallets: walletTable(client, client, 'Wallets'),
    shards: shardTable(client, 'Wallets'),
    charges: chargeTable(client, client, 'Wallets'),
    idempotency: idempotencyTable(client, 'Wallets'),
    log: logTable(client, client, 'Logs', 365),
  };
  instance = instanceMemory();
  nowMs = STARTED_MS;
});

function newOperation(change: Partial<Operation> = {}): Operation {
  return {
    id: newOperationId(nowMs),
    wallet: WALLET,
    requestId: 'req_000000000001',
    service: 'nin-basic',
    cost: 1,
    keyLabel: 'server',
    numberTag: 'v1.tag',
    requestedAtMs: nowMs,
    ...change,
  };
}

const credits = () => {
  const deps = { wallets: 'Wallets', payments: 'Payments' };
  return { credits: creditTable(memory.client, deps), shards: tables.shards };
};

/** Adds credits, or removes them if `amount` is negative. */
async function credit(amount: number, reference: string, shards = 1, effectiveAt?: string) {
  const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
  const order = {
    kind,
    amount,
    reference,
    actor: 'ada',
    reason: 'paid',
    ...(effectiveAt && { effectiveAt }),
  };
  return creditWallet(WALLET, shards, order, credits(), clock);
}

async function newWallet(amount: number, shards = 1) {
  for (let shard = 0; shard < shards; shard += 1) await tables.shards.createShard(WALLET, shard);
  await credit(amount, 'first', shards);
}

const reserve = (operation: Operation, shards = 1) =>
  reserveCredit(operation, shards, tables, instance, clock);

async function reserved(operation: Operation): Promise<PlacedHold> {
  const result = await reserve(operation);
  if (result.kind !== 'held') throw new Error(`The reserve ended as ${result.kind}.`);
  return result.hold;
}

const shardOf = async (shard = 0) => tables.wallets.getShard(WALLET, shard);
const logRows = () =>
  memory.writes.flatMap(({ tableName, row }) => (tableName === 'Logs' && row ? [row] : []));

describe('a reserve', () => {
  test('collects the last credits of a wallet from all of its shards', async () => {
    await newWallet(4, 4);
    expect(await reserve(newOperation({ cost: 4 }), 4)).toMatchObject({ kind: 'held' });
    expect(await reserve(newOperation(), 4)).toEqual({ kind: 'short', isReserved: true });
  });

  test('does not use a shard that the wallet no longer has', async () => {
    await newWallet(4, 2);
    const known = { shards: 2, untilMs: nowMs + 1, balances: new Map([[1, 2]]), lastShard: 1 };
    instance.wallets.set('live#aaaaaaaaaa#00', known);
    expect(await reserve(newOperation(), 1)).toMatchObject({ kind: 'held', hold: { shard: 0 } });
  });

  /** Of 20 requests of one instance. */
  async function usedShards(shards: number, everyMs = 0): Promise<Set<number>> {
    const random = seededRandom(1);
    const used = new Set<number>();
    for (let requests = 0; requests < 20; requests += 1) {
      nowMs += everyMs;
      const timed = { ...clock, random: () => random.next() };
      const result = await reserveCredit(newOperation(), shards, tables, instance, timed);
      if (result.kind !== 'held') throw new Error(`The reserve ended as ${result.kind}.`);
      used.add(result.hold.shard);
    }
    return used;
  }

  test('stays in one shard for a minute', async () => {
    await newWallet(400, 4);
    expect((await usedShards(4)).size).toBe(1);
  });

  test('uses the credits of new shards a minute after they were spread, in an instance that knew one shard', async () => {
    await newWallet(400);
    expect([...(await usedShards(1))]).toEqual([0]);
    for (const shard of [1, 2, 3]) await tables.shards.createShard(WALLET, shard);
    // As while `set-shards` waits.
    expect([...(await usedShards(4))]).toEqual([0]);
    await evenOut(WALLET, 4, tables.shards, clock);
    expect([...(await usedShards(4, MINUTE_MS))].sort()).toEqual([0, 1, 2, 3]);
  });

  test('may use another shard after a conflict', async () => {
    await newWallet(400, 4);
    let calls = 0;
    const conflict = Object.assign(new Error('made up'), { name: 'TransactionConflictException' });
    memory.before = () => {
      calls += 1;
      if (calls % 2 === 1) throw conflict;
    };
    expect((await usedShards(4)).size).toBeGreaterThan(1);
  });

  test('is rejected as full, not as short of credit, if the only shard has too many holds', async () => {
    await newWallet(MAX_HOLDS + 5);
    for (let holds = 0; holds < MAX_HOLDS; holds += 1) await reserved(newOperation());
    expect(await reserve(newOperation())).toEqual({ kind: 'full' });
  });

  test('makes room only by clearing the hold that a charge consumed', async () => {
    await newWallet(MAX_HOLDS + 5);
    const operation = newOperation();
    const hold = await reserved(operation);
    for (let holds = 1; holds < MAX_HOLDS; holds += 1)
      await reserved(newOperation({ requestedAtMs: nowMs + 1 }));
    const other = { ...hold, holdId: `${operation.id}.9` };
    const row = chargedRow(operation, FACTS, other, nowMs);
    await tables.charges.decide(WALLET, row);
    const entry = { ...operation, ...FACTS, operationId: operation.id, creditsCharged: 1 };
    await tables.log.writeOnce({ ...entry, requestedAt: row.requestedAt });
    expect(await reserve(newOperation())).toEqual({ kind: 'full' });
    expect((await shardOf())?.holds).toHaveProperty([hold.holdId]);
  });

  test('leaves the charged hold of an erased number to the sweeper', async () => {
    await newWallet(MAX_HOLDS + 5);
    const operation = newOperation();
    const hold = await reserved(operation);
    await chargeOperation({ operation, hold }, FACTS, tables, instanceMemory(), clock);
    for (let holds = 1; holds < MAX_HOLDS; holds += 1)
      await reserved(newOperation({ requestedAtMs: nowMs + 1 }));
    await erasureTable(memory.client, 'Logs', 365).mark(WALLET, [operation.numberTag], nowMs + 1);
    expect(await reserve(newOperation())).toEqual({ kind: 'full' });
    expect((await shardOf())?.holds).toHaveProperty([hold.holdId]);
  });
});

describe('the settlement of a request', () => {
  test('releases the hold of its second send if the charge consumed the hold of the first', async () => {
    await newWallet(10);
    const operation = newOperation();
    const hold = await reserved(operation);
    const first = { ...hold, holdId: `${operation.id}.9` };
    await tables.charges.decide(WALLET, chargedRow(operation, FACTS, first, nowMs));
    await voidOperation(operation, { ...FACTS, outcome: 'ERROR' }, { operation, hold }, tables, clock);
    expect(await shardOf()).toMatchObject({ available: 10, holds: {} });
  });

  test('logs no code of a response if another process decided a different outcome', async () => {
    await newWallet(10);
    const operation = newOperation();
    const hold = await reserved(operation);
    await tables.charges.decide(WALLET, voidRow(operation, { ...FACTS, outcome: 'ABANDONED' }, nowMs));
    const facts = { ...FACTS, course: { code: 'NIN_VERIFIED', registryMs: 5 } };
    expect(await chargeOperation({ operation, hold }, facts, tables, instance, clock)).toBe('void');
    expect(logRows()).toMatchObject([{ outcome: 'ABANDONED', registryMs: 5 }]);
    expect(logRows()[0]).not.toHaveProperty('code');
  });

  test('finds its charge by reading it, if all responses to its writes were lost', async () => {
    await newWallet(10);
    const operation = newOperation();
    const hold = await reserved(operation);
    await tables.charges.decide(WALLET, chargedRow(operation, FACTS, hold, nowMs));
    const decide = () => Promise.reject(new Error('no response'));
    const silent = { ...tables, charges: { ...tables.charges, decide } };
    expect(await chargeOperation({ operation, hold }, FACTS, silent, instance, clock)).toBe('charged');
  });
});

test('a hold is swept from the moment at which it expires, and logged at the time of its request', async () => {
  await newWallet(10);
  await reserved(newOperation());
  nowMs = STARTED_MS + HOLD_LIFE_MS - 1;
  const failed = (error: unknown) => {
    throw error;
  };
  expect(await sweepHolds(tables, clock, failed)).toMatchObject({ open: 1, released: 0, postponed: 0 });
  nowMs += 1;
  expect(await sweepHolds(tables, clock, failed)).toMatchObject({ open: 0, released: 1 });
  expect(await shardOf()).toMatchObject({ available: 10, holds: {} });
  expect(logRows()).toMatchObject([{ requestedAt: new Date(STARTED_MS).toISOString() }]);
});

describe('a retry under an idempotency key', () => {
  const claim: IdempotencyClaim = {
    keyHash: 'hash',
    fingerprint: 'print',
    tagOfSameRequest: async () => 'v1.tag',
    onCharged: () => {},
  };
  async function charged() {
    const operation = newOperation();
    await claimKey(operation, claim, tables, clock);
    const hold = { shard: 0, holdId: `${operation.id}.0` };
    await tables.charges.decide(WALLET, chargedRow(operation, FACTS, hold, nowMs));
  }

  test('is a replay for less than 24 hours', async () => {
    await charged();
    nowMs = STARTED_MS + REPLAY_WINDOW_MS - 1;
    expect(await claimKey(newOperation(), claim, tables, clock)).toMatchObject({ kind: 'replay' });
    nowMs += 1;
    await expect(claimKey(newOperation(), claim, tables, clock)).rejects.toMatchObject({
      code: 'REPLAY_EXHAUSTED',
    });
  });

  test('is rejected after an erasure, and a new attempt once the key has expired', async () => {
    await charged();
    await tables.idempotency.eraseFingerprint(WALLET, claim.keyHash, nowMs);
    await expect(claimKey(newOperation(), claim, tables, clock)).rejects.toMatchObject({
      code: 'REPLAY_EXHAUSTED',
    });
    nowMs = STARTED_MS + IDEMPOTENCY_LIFE_SECONDS * 1000;
    expect(await claimKey(newOperation(), claim, tables, clock)).toEqual({ kind: 'attempt' });
  });
});

describe('a credit', () => {
  test('can be effective now, but not later', async () => {
    const at = (ms: number) => credit(5, `at ${ms}`.replace(' ', '-'), 1, new Date(ms).toISOString());
    await expect(at(nowMs + 1)).rejects.toThrow('must not be in the future');
    expect(await at(nowMs)).toMatchObject({ existed: false });
  });

  test('can remove all credits, names no lot then, and cannot remove more', async () => {
    await newWallet(10, 3);
    await expect(credit(-11, 'more', 3)).rejects.toThrow('available balance is only 10');
    const { row } = await credit(-10, 'all', 3);
    expect(row).not.toHaveProperty('lot');
    expect(await tables.shards.snapshot(WALLET, 3)).toMatchObject(Array(3).fill({ available: 0 }));
  });

  test('of a top-up belongs to one organisation, which may repeat its reference', async () => {
    await newWallet(10);
    const order = { reference: 'first', kind: 'TOP_UP', amount: 10 } as const;
    await checkCreditOrder(WALLET, 1, order, credits());
    const other = { ...WALLET, organisationId: 'bbbbbbbbbb' };
    await expect(checkCreditOrder(other, 1, order, credits())).rejects.toThrow('first');
    await expect(
      creditWallet(other, 1, { ...order, actor: 'ada', reason: '' }, credits(), clock),
    ).rejects.toThrow('first');
  });
});
