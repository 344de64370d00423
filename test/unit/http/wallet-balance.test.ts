import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { keyedRoute } from '../../../shared/http/chains.ts';
import { showBalance } from '../../../shared/http/routes/wallet-balance.ts';
import { type Caller, invoke } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';

/** The balance route reads all shards at one instant, whatever else happens to the wallet. */

beforeEach(() => {
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation(() => true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function readBalance({ deps, clock }: MemoryService, who: Caller) {
  const handler = keyedRoute(
    'wallet-balance',
    'wallet:read',
    showBalance(deps.ledger.shards, deps.tools),
    deps,
  );
  const response = await invoke(handler, { key: who.text, requestedAtMs: clock.nowMs });
  return { status: response.statusCode, headers: response.headers, json: JSON.parse(response.body) };
}

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

/** Cancels the first `times` reads of several items at once, as concurrent writes do. Returns the number of tries. */
function cancelReads(service: MemoryService, times: number) {
  const tries = { count: 0 };
  service.onCall = (command) => {
    if (!(command instanceof TransactGetCommand)) return;
    tries.count += 1;
    if (tries.count > times) return;
    throw new TransactionCanceledException({
      message: 'made up',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
  };
  return tries;
}

test('a read that concurrent writes cancel is repeated', async () => {
  const service = memoryService();
  const who = await service.newCaller(9, 'live', THREE_SHARDS);
  const tries = cancelReads(service, 5);
  const { status, json } = await readBalance(service, who);

  expect([status, json.data.available]).toEqual([200, 9]);
  expect(tries.count).toBe(6);
});

test('if every try is cancelled, the response is 503 with Retry-After and no balance', async () => {
  const service = memoryService();
  const who = await service.newCaller(9, 'live', THREE_SHARDS);
  cancelReads(service, Number.POSITIVE_INFINITY);
  const { status, headers, json } = await readBalance(service, who);

  expect([status, json.code, json.data]).toEqual([503, 'SERVICE_UNAVAILABLE', null]);
  expect(headers?.['Retry-After']).toBe('2');
});
