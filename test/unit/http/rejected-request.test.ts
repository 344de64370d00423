import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from '../../security/routes-in-memory.ts';

/** Tests which requests are counted as rejected (contract E6), and that counting never changes a response. */

const KEY = { headers: { 'Idempotency-Key': ['a-key-of-this-customer'] } };
const rejectedRows = ({ writes }: MemoryService) =>
  writes.filter(({ pk }) => pk.startsWith('REJECTED#')).map(({ row }) => row);
const isRejectedRow = ({ input }: { readonly input: object }) => JSON.stringify(input).includes('REJECTED#');

async function serviceWith(credits: number, changes = {}): Promise<[MemoryService, Caller]> {
  const service = memoryService();
  service.registry.lookUp = findsAll;
  return [service, await service.newCaller(credits, 'live', changes)];
}

describe('a request is counted as rejected', () => {
  test.each([
    ['if its body is malformed', 5, {}, { body: '{' }, 'INVALID_SCHEMA'],
    ['if its number is malformed', 5, {}, { nin: '123' }, 'NIN_NOT_FOUND'],
    ['if there is no credit', 0, {}, {}, 'INSUFFICIENT_FUNDS'],
    ['if there is no credit after its Idempotency-Key was claimed', 0, {}, KEY, 'INSUFFICIENT_FUNDS'],
    ['if the service is not enabled', 5, { organisation: { services: {} } }, {}, 'SUBSCRIPTION_REQUIRED'],
    [
      'if its key may not be used from its address',
      5,
      { key: { addressRanges: ['192.0.2.1'] } },
      {},
      'INVALID_API_KEY',
    ],
    [
      'if the organisation is suspended',
      5,
      { organisation: { status: 'SUSPENDED' } },
      {},
      'UNAPPROVED_ORGANIZATION',
    ],
  ])('%s', async (_, credits, changes, request, code) => {
    const [service, who] = await serviceWith(credits, changes);
    const { headers, ...response } = await verifyNin(service, who, request);
    expect(response.code).toBe(code);
    expect(rejectedRows(service)).toEqual([
      expect.objectContaining({
        errorCode: code,
        rejected: 1,
        route: 'nin-basic',
        keyLabel: 'story',
        requestId: headers['X-Request-Id'],
      }),
    ]);
    expect(JSON.stringify(rejectedRows(service))).not.toContain(SOME_NIN);
    expect(service.logRows()).toEqual([]);
  });
});

test('the row of a rejected request says which field was wrong, and how', async () => {
  const [service, who] = await serviceWith(5);
  await verifyNin(service, who, { nin: '123' });
  expect(rejectedRows(service)).toMatchObject([{ errorReason: 'wrong_format', errorField: 'nin' }]);
});

describe('a request is not counted as rejected', () => {
  test('if it has a log row: found, replayed, not found, or interrupted by a fault', async () => {
    const [service, who] = await serviceWith(5);
    await verifyNin(service, who, KEY);
    await verifyNin(service, who, KEY);
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    await verifyNin(service, who);
    service.registry.lookUp = async () => {
      throw new Error('a fault');
    };
    await verifyNin(service, who);
    expect(service.logRows()).toHaveLength(4);
    expect(rejectedRows(service)).toEqual([]);
  });

  test('if its key is unknown or missing', async () => {
    const [service, who] = await serviceWith(5);
    const stranger = await memoryService().newCaller(5);
    await verifyNin(service, { ...who, text: stranger.text });
    await verifyNin(service, { ...who, text: '' });
    expect(rejectedRows(service)).toEqual([]);
  });
});

describe('the response to a rejected request is the same', () => {
  async function rejectedBy(fault: (service: MemoryService) => void) {
    const [service, who] = await serviceWith(0);
    fault(service);
    const { status, code, credits, response } = await verifyNin(service, who);
    const { meta: _, ...body } = JSON.parse(response.body);
    return { status, code, credits, body };
  }

  test('if the count cannot be written, or its write never ends', async () => {
    const usual = await rejectedBy(() => undefined);
    expect(usual).toMatchObject({ status: 402, code: 'INSUFFICIENT_FUNDS', credits: '0' });
    const failed = await rejectedBy((service) => {
      service.onCall = (command) => {
        if (isRejectedRow(command)) throw new Error('The table does not respond.');
      };
    });
    const hanging = await rejectedBy((service) => {
      service.hangs = isRejectedRow;
    });
    expect([failed, hanging]).toEqual([usual, usual]);
  });
});
