import { expect, test } from '@jest/globals';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from '../../security/routes-in-memory.ts';

/** What the log row of a request says, from which the console explains it. */

test('a request that fails on our side has the time that it took', async () => {
  const service = memoryService();
  const who = await service.newCaller(5, 'live');
  service.registry.lookUp = async () => {
    service.clock.nowMs += 340;
    throw new Error('a fault');
  };
  expect((await verifyNin(service, who)).status).toBe(500);
  expect(service.logRows()).toMatchObject([{ row: { outcome: 'ERROR', latencyMs: 340 } }]);
});

test('a match is logged with its overall result, and with nothing of the details', async () => {
  const service = memoryService();
  const who = await service.newCaller(5, 'live');
  service.registry.lookUp = findsAll;
  const body = JSON.stringify({
    nin: SOME_NIN,
    match: { firstname: 'Elephant', lastname: 'Elephant' },
  });
  expect((await verifyNin(service, who, { body })).status).toBe(200);
  expect(service.logRows()).toMatchObject([{ row: { outcome: 'FOUND', matchOverall: 'none' } }]);
  expect(JSON.stringify(service.logRows())).not.toMatch(/elephant/i);
});
