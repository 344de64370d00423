import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { shardPk, type WalletId } from '../../../shared/core/keys.ts';
import { HOLD_LIFE_MS } from '../../../shared/ledger/rows/wallet.ts';
import { creditWallet } from '../../../shared/ledger/top-up.ts';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import type { Caller } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';

/** Tests requests that a wallet cannot pay for now: the reason in the response, and the number of database calls. */

const SHORT = [402, 'INSUFFICIENT_FUNDS'];
const EMPTY = 'insufficient_credits';
const HINT = 'Retry after the number of seconds in Retry-After.';

async function verify(service: MemoryService, who: Caller) {
  const { status, code, headers, response } = await verifyNin(service, who);
  return { answer: [status, code], retryAfter: headers['Retry-After'], json: JSON.parse(response.body) };
}

function walletOf({ account }: Caller): WalletId {
  return { env: 'live', organisationId: account.organisation?.id ?? '' };
}

/** Returns a list to which each later call to Wallets is added. `intercept` runs before each call to any table. */
function recordCalls(service: MemoryService, intercept: (command: object) => void = () => undefined) {
  const calls: string[] = [];
  service.onCall = (command) => {
    if (JSON.stringify(command.input).includes('Wallets')) calls.push(command.constructor.name);
    intercept(command);
  };
  return calls;
}

/** Begins a look-up that ends without a record when `end` is called. Its hold exists when this function returns. */
async function beginLookUp(service: MemoryService, who: Caller) {
  const asked = Promise.withResolvers<void>();
  const result = Promise.withResolvers<RegistryResult>();
  service.registry.lookUp = () => {
    asked.resolve();
    return result.promise;
  };
  const response = verifyNin(service, who);
  await asked.promise;
  service.registry.lookUp = findsAll;
  return {
    end: () => {
      result.resolve({ kind: 'not-found', detail: '' });
      return response;
    },
  };
}

describe.each([1, 3])('a wallet with %d shards:', (walletShards) => {
  const newWallet = async (credits: number, prices = {}) => {
    const service = memoryService();
    const changes = { organisation: { walletShards, ...prices } };
    return { service, who: await service.newCaller(credits, 'live', changes) };
  };

  test('while other requests hold the credits, the response is 402 with the reason held, and a retry succeeds', async () => {
    const { service, who } = await newWallet(1);
    const slow = await beginLookUp(service, who);
    const calls = recordCalls(service);
    const rejected = await verify(service, who);

    expect(rejected.answer).toEqual(SHORT);
    expect(rejected.json.error).toEqual({ reason: 'held', field: '', hint: HINT });
    expect(rejected.json.message).toBe(
      `The wallet's remaining credits are reserved by other requests in progress. ${HINT}`,
    );
    expect(rejected.retryAfter).toBe('2');
    const snapshots = walletShards > 1 ? ['TransactGetCommand'] : [];
    expect(calls).toEqual(['UpdateCommand', ...snapshots, 'BatchGetCommand']);
    expect(service.charges()).toEqual([]);

    await slow.end();
    expect((await verify(service, who)).answer).toEqual([200, 'NIN_VERIFIED']);
  });

  test('the reason is insufficient_credits, without Retry-After, if the wallet is empty or does not cover the price', async () => {
    const empty = await newWallet(0);
    const poor = await newWallet(2, { prices: { 'nin-basic': 3 } });
    for (const { service, who } of [empty, poor]) {
      const { answer, retryAfter, json } = await verify(service, who);
      expect([answer, retryAfter, json.error?.reason]).toEqual([SHORT, undefined, EMPTY]);
    }
  });

  test('the reason is held if available and held credits together cover the price', async () => {
    const { service, who } = await newWallet(3, { prices: { 'nin-basic': 3 } });
    const hold = {
      ...{ requestId: 'req_000000000001', cost: 1, service: 'nin-basic', keyLabel: '', numberTag: '' },
      expiresAtMs: service.clock.nowMs + HOLD_LIFE_MS,
    };
    const { wallets } = service.deps.ledger;
    await wallets.placeHold(walletOf(who), { shard: 0, holdId: 'one.0' }, hold, []);

    expect(await service.balance(who)).toMatchObject({ available: 2, held: 1 });
    expect((await verify(service, who)).json.error?.reason).toBe('held');
  });

  test.each(['this', 'another'])('a hold that %s instance has charged does not count', async (instance) => {
    const { service, who } = await newWallet(1);
    service.registry.lookUp = findsAll;
    expect((await verify(service, who)).answer).toEqual([200, 'NIN_VERIFIED']);
    if (instance === 'another') Object.assign(service.deps, { memory: service.newInstance().memory });
    const { answer, retryAfter, json } = await verify(service, who);

    expect(await service.balance(who)).toMatchObject({ available: 0, held: 1 });
    expect([answer, retryAfter, json.error?.reason]).toEqual([SHORT, undefined, EMPTY]);
  });

  test('the response is 402 with the reason held if it cannot be read which holds are charged', async () => {
    const { service, who } = await newWallet(1);
    const slow = await beginLookUp(service, who);
    recordCalls(service, (command) => {
      if (command instanceof BatchGetCommand && JSON.stringify(command.input).includes('CHARGE'))
        throw new Error('made up');
    });
    expect((await verify(service, who)).json.error?.reason).toBe('held');
    service.onCall = () => undefined;
    await slow.end();
  });

  test('a hold of a killed request counts until the sweeper must have settled it, so no caller retries forever', async () => {
    const { service, who } = await newWallet(1);
    const slow = await beginLookUp(service, who);
    service.clock.nowMs += HOLD_LIFE_MS + 120_000 - 1;
    expect((await verify(service, who)).json.error?.reason).toBe('held');
    service.clock.nowMs += 1;
    const { answer, retryAfter, json } = await verify(service, who);

    expect([answer, retryAfter, json.error?.reason]).toEqual([SHORT, undefined, EMPTY]);
    await slow.end();
  });
});

test('after a 402, the next reserve still clears the holds that this instance has charged', async () => {
  const service = memoryService();
  service.registry.lookUp = findsAll;
  const who = await service.newCaller(1);
  await verify(service, who);
  expect((await verify(service, who)).answer).toEqual(SHORT);
  const order = { reference: 'INV-1', kind: 'TOP_UP', amount: 1, actor: 'ada', reason: '' } as const;
  const { ledger, credits, clock } = service.deps;
  await creditWallet(walletOf(who), 1, order, { credits, shards: ledger.shards }, clock);
  expect((await verify(service, who)).answer).toEqual([200, 'NIN_VERIFIED']);
  expect(await service.balance(who)).toMatchObject({ available: 0, held: 1 });
});

describe('a wallet with many shards', () => {
  const newWallet = async (credits: number, walletShards = 100) => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    return { service, who: await service.newCaller(credits, 'live', { organisation: { walletShards } }) };
  };
  const CANCELLED = new TransactionCanceledException({
    message: 'made up',
    $metadata: {},
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });
  const cancelSnapshots = (command: object) => {
    if (command instanceof TransactGetCommand) throw CANCELLED;
  };

  test('is found empty after one rejected write and one read', async () => {
    const { service, who } = await newWallet(0);
    const calls = recordCalls(service);

    expect((await verify(service, who)).answer).toEqual(SHORT);
    expect(calls).toEqual(['UpdateCommand', 'TransactGetCommand']);
  });

  test('pays with at most four calls if one of its 100 shards has the last credit', async () => {
    const { service, who } = await newWallet(1);
    const calls = recordCalls(service);

    expect((await verify(service, who)).answer).toEqual([200, 'NIN_VERIFIED']);
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  test('pays while concurrent writes cancel every snapshot', async () => {
    const { service, who } = await newWallet(1);
    recordCalls(service, cancelSnapshots);

    expect((await verify(service, who)).answer).toEqual([200, 'NIN_VERIFIED']);
  });

  test('leads to 503, not 402, if the last credit moves during every reading and there is no snapshot', async () => {
    const { service, who } = await newWallet(1, 2);
    const wallet = walletOf(who);
    const move = (from: number, to: number) =>
      service.deps.ledger.shards.transfer(wallet, [
        { shard: from, amount: -1 },
        { shard: to, amount: 1 },
      ]);
    Object.assign(service.deps.clock, { random: () => 0.5 });
    const known = { shards: 2, untilMs: Number.POSITIVE_INFINITY, balances: new Map([[0, 1]]), lastShard: 0 };
    service.deps.memory.wallets.set(shardPk(wallet, 0), known);
    // The credit is in shard 1 while shard 0 is read, and in shard 0 while shard 1 is read.
    recordCalls(service, (command) => {
      if (!(command instanceof BatchGetCommand)) cancelSnapshots(command);
      else void move(0, 1);
    });
    service.betweenReads = async (tableName) => {
      if (tableName === 'Wallets') await move(1, 0);
    };
    await move(0, 1);

    expect((await verify(service, who)).answer).toEqual([503, 'SERVICE_UNAVAILABLE']);
    service.onCall = () => undefined;
    expect(await service.balance(who)).toMatchObject({ available: 1, held: 0 });
  });
});
