import { DAY_MS } from '../../shared/core/clock.ts';
import './environment.ts';

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { captureLines } from './captured.ts';
import { memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';

/** Attacks on the wallet over in-memory tables. */

captureLines();

const KEY = 'a-key-of-the-attackers-own';

describe('money', () => {
  test('S29: a fourth replay, a replay after a day, and a replay of an expired row', async () => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    const who = await service.newCaller(10);
    const headers = { 'Idempotency-Key': [KEY] };
    const ask = () => verifyNin(service, who, { headers });
    const shown = [];
    for (let times = 0; times < 5; times += 1) shown.push(await ask());
    expect(shown.map(({ status, credits }) => `${status} ${credits}`)).toEqual([
      ...['200 1', '200 0', '200 0', '200 0', '409 0'],
    ]);
    expect(shown.at(-1)?.code).toBe('REPLAY_EXHAUSTED');
    expect(service.registry.calls).toBe(4);

    const late = await service.newCaller(10);
    await verifyNin(service, late, { headers });
    service.clock.nowMs += DAY_MS + 1000;
    expect((await verifyNin(service, late, { headers })).code).toBe('REPLAY_EXHAUSTED');
    // The row is past its time to live. It counts as deleted, so the key counts as new.
    service.clock.nowMs += 31 * DAY_MS;
    const again = await verifyNin(service, late, { headers });
    expect([again.status, again.credits]).toEqual([200, '1']);
    expect((await service.balance(late)).available).toBe(8);
  });

  test.each([
    [19.9, 200],
    [20.1, 200],
    [25.4, 200],
    [25.6, 504],
    [26.4, 504],
    [26.6, 504],
    [29.5, 504],
    [31, 504],
  ])('S31: a registry that responds %d seconds after the request started: %d', async (seconds, status) => {
    const service = memoryService();
    const who = await service.newCaller(2);
    service.registry.lookUp = async (query) => {
      service.clock.nowMs += seconds * 1000;
      return findsAll(query);
    };
    const shown = await verifyNin(service, who);
    // A caller that receives a timeout is not charged, and a caller that is charged receives the data.
    expect(shown.status).toBe(status);
    expect(service.charges()).toHaveLength(status === 200 ? 1 : 0);
    expect((await service.balance(who)).available).toBe(status === 200 ? 1 : 2);
    expect(shown.response.body.includes(SOME_NIN)).toBe(status === 200);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('S34: %d conflicts in a row', async (conflicts) => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    let left = conflicts;
    // A conflict cancels the transaction of a top-up, and makes a plain write fail.
    service.onCall = ({ input }) => {
      const isTransaction = 'TransactItems' in input;
      const isOfWallet = 'TableName' in input && input.TableName === 'Wallets' && 'UpdateExpression' in input;
      if (left === 0 || !(isTransaction || isOfWallet)) return;
      left -= 1;
      if (isTransaction)
        throw new TransactionCanceledException({
          message: '',
          $metadata: {},
          CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
        });
      throw Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    };
    const who = await service.newCaller(5);
    expect((await service.balance(who)).credited).toBe(5);
    left = 0;
    await verifyNin(service, who);
    left = conflicts;
    const met = await verifyNin(service, who);
    left = 0;
    // The request is rejected without a charge, or served with one.
    expect(['200 1', '503 0']).toContain(`${met.status} ${met.credits}`);
    const { available, held } = await service.balance(who);
    const charges = service.charges().length;
    expect(charges).toBe(met.status === 200 ? 2 : 1);
    expect(available).toBe(5 - charges);
    expect(held).toBeLessThanOrEqual(charges);
  });
});
