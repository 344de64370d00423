import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import { showBalance } from '../../../shared/ledger/routes/wallet-balance.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { type Caller, invoke } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';

/** The balance route never shows a sum that transfers have distorted, whatever else happens to the wallet. */

async function readBalance({ deps, clock }: MemoryService, who: Caller) {
  const handler = keyedRoute(
    'wallet-balance',
    'wallet:read',
    showBalance(deps.ledger.shards, deps.clock),
    deps,
  );
  const response = await invoke(handler, { key: who.text, requestedAtMs: clock.nowMs });
  return { status: response.statusCode, headers: response.headers, json: JSON.parse(response.body) };
}

test.each([1, 3])('charged holds are not held: %d shards', async (walletShards) => {
  const service = memoryService();
  const who = await service.newCaller(2, 'live', { organisation: { walletShards } });
  service.registry.lookUp = findsAll;
  expect(await verifyNin(service, who)).toMatchObject({ status: 200, credits: '1' });
  expect((await readBalance(service, who)).json.data).toMatchObject({ available: 1, held: 0 });

  // The hold of a request in progress is held, until its charge is durable.
  service.registry.lookUp = async (query) => {
    expect((await readBalance(service, who)).json.data).toMatchObject({ available: 0, held: 1 });
    return findsAll(query);
  };
  expect(await verifyNin(service, who)).toMatchObject({ status: 200, credits: '1' });
  expect((await readBalance(service, who)).json.data).toMatchObject({ available: 0, held: 0 });
});

const THREE_SHARDS = { organisation: { walletShards: 3 } } as const;

test('credits that move between shards during a read do not change the balance', async () => {
  const service = memoryService();
  const who = await service.newCaller(9, 'live', THREE_SHARDS);
  const wallet = { env: 'live', organisationId: who.account.organisation?.id ?? '' } as const;
  service.betweenReads = async (tableName) => {
    const transfers = [
      { shard: 2, amount: -1 },
      { shard: 0, amount: 1 },
    ];
    if (tableName === 'Wallets') await service.deps.ledger.shards.transfer(wallet, transfers);
  };
  const { status, json } = await readBalance(service, who);

  expect([status, json.data]).toEqual([
    200,
    { environment: 'live', available: 9, held: 0, currency: 'credits' },
  ]);
});

/** Cancels the first `times` snapshots, as concurrent writes do. Returns a counter of the attempts. */
function cancelReads(service: MemoryService, times: number) {
  const attempts = { count: 0 };
  service.onCall = (command) => {
    if (!(command instanceof TransactGetCommand)) return;
    attempts.count += 1;
    if (attempts.count > times) return;
    throw new TransactionCanceledException({
      message: 'made up',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
  };
  return attempts;
}

test('a read that concurrent writes cancel is repeated', async () => {
  const service = memoryService();
  const who = await service.newCaller(9, 'live', THREE_SHARDS);
  const attempts = cancelReads(service, 3);
  const { status, json } = await readBalance(service, who);

  expect([status, json.data.available]).toEqual([200, 9]);
  expect(attempts.count).toBe(4);
});

/** Adds credits, or removes them, without spreading them over the shards. */
function credit(
  { deps }: MemoryService,
  wallet: WalletId,
  reference: string,
  change: Pick<Credit, 'kind' | 'amount' | 'shard'>,
) {
  const [createdAt, effectiveAt] = ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z'];
  const row = { ...change, reference, actor: 'ada', reason: '', createdAt, effectiveAt };
  return deps.credits.addCredit(wallet, row);
}

describe('a wallet whose writes cancel every snapshot', () => {
  async function busyWallet() {
    const service = memoryService();
    const who = await service.newCaller(9, 'live', THREE_SHARDS);
    cancelReads(service, Number.POSITIVE_INFINITY);
    const wallet = { env: 'live', organisationId: who.account.organisation?.id ?? '' } as const;
    return { service, who, wallet, ledger: service.deps.ledger };
  }

  test('has the sum of its shards as its balance', async () => {
    const { service, who } = await busyWallet();
    const { status, json } = await readBalance(service, who);
    expect([status, json.data]).toEqual([
      200,
      { environment: 'live', available: 9, held: 0, currency: 'credits' },
    ]);
  });

  test.each([
    ['to a shard that was read', -1],
    ['to a shard that is still to be read', 1],
  ])('has the right balance if credits move during every reading: %s', async (_, amount) => {
    const { service, who, wallet, ledger } = await busyWallet();
    let reads = 0;
    service.betweenReads = async (tableName) => {
      if (tableName !== 'Wallets') return;
      reads += 1;
      // Each reading has two pauses, between its three shards. The credits move in the first pause.
      if (reads % 2 === 0) return;
      const transfers = [
        { shard: 0, amount: -amount },
        { shard: 2, amount },
      ];
      expect(await ledger.shards.transfer(wallet, transfers)).toBe(true);
    };
    const { status, json } = await readBalance(service, who);
    expect(reads).toBe(4);
    expect([status, json.data.available, json.data.held]).toEqual([200, 9, 0]);
  });

  test('has the right balance if the read does not include a new shard', async () => {
    const { service, who, wallet, ledger } = await busyWallet();
    await ledger.shards.createShard(wallet, 3);
    const transfers = [
      { shard: 1, amount: -2 },
      { shard: 3, amount: 2 },
    ];
    await ledger.shards.transfer(wallet, transfers);
    expect((await readBalance(service, who)).json.data.available).toBe(9);
  });

  test('never has a balance that omits added credits but includes their spending', async () => {
    const { service, who, wallet, ledger } = await busyWallet();
    let reads = 0;
    service.betweenReads = async (tableName) => {
      if (tableName !== 'Wallets') return;
      reads += 1;
      if (reads > 1) return;
      // The first shard was read without the added credits. The last is read without the removed ones.
      await credit(service, wallet, 'INV-1', { kind: 'TOP_UP', amount: 5, shard: 0 });
      const transfers = [
        { shard: 0, amount: -5 },
        { shard: 2, amount: 5 },
      ];
      await ledger.shards.transfer(wallet, transfers);
      await credit(service, wallet, 'INV-2', { kind: 'CORRECTION', amount: -6, shard: 2 });
    };
    expect((await readBalance(service, who)).json.data.available).toBe(8);
  });

  test('leads to 503 with Retry-After if credits are added during every reading', async () => {
    const { service, who, wallet } = await busyWallet();
    let reads = 0;
    service.betweenReads = async (tableName) => {
      if (tableName !== 'Wallets') return;
      reads += 1;
      await credit(service, wallet, `INV-${reads}`, { kind: 'TOP_UP', amount: 1, shard: 0 });
    };
    const { status, headers, json } = await readBalance(service, who);
    expect([status, json.code, json.data]).toEqual([503, 'SERVICE_UNAVAILABLE', null]);
    expect(headers?.['Retry-After']).toBe('2');
  });
});
