import type { LambdaHandler } from '../../shared/http/chain.ts';
import '../security/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { layWires } from '../rigs/bench/stage/one-verification.ts';
import { openStage, type Stage } from '../rigs/bench/stage/stage.ts';
import { eventOf, invoke, newNin } from '../rigs/bench/stage/verify.ts';
import type { SentCall } from '../rigs/bench/stage/wire.ts';
import { captureLines } from '../security/captured.ts';
import { searchText } from '../security/search-log.ts';
import { identifyingTexts } from '../support/canaries.ts';
import {
  type Subsegment,
  startTraceDaemon,
  type TraceDaemon,
  traceHeaderOf,
} from '../support/trace-daemon.ts';

/** The X-Ray trace of a verification, compared with its requests to the tables and to the registry. */

const sent: SentCall[] = [];
const cleanup = new AsyncDisposableStack();
let stage: Stage;
let daemon: TraceDaemon;
let handler: LambdaHandler;
beforeAll(async () => {
  captureLines();
  daemon = await startTraceDaemon();
  process.env['AWS_XRAY_DAEMON_ADDRESS'] = daemon.address;
  stage = await openStage();
  cleanup.defer(() => stage.close());
  cleanup.use(await layWires(stage, sent));
  handler = (await import('../../functions/nin-basic.ts')).handler;
  // The first request fetches the secrets.
  await verify('0001', '0');
});
afterAll(() => cleanup.disposeAsync());

/** Sends one request and waits for `expected` datagrams. */
async function verify(ending: string, sampled: string, expected = 0) {
  sent.length = 0;
  daemon.datagrams.length = 0;
  process.env['_X_AMZN_TRACE_ID'] = traceHeaderOf({ sampled });
  const nin = newNin(ending);
  const { statusCode, body, headers = {} } = await invoke(handler, eventOf(stage.live, { id_number: nin }));
  const published = await daemon.waitFor(expected);
  return {
    nin,
    statusCode,
    published,
    envelope: JSON.parse(body),
    requestId: String(headers['X-Request-Id']),
  };
}

/** Describes a request, as `UpdateItem Wallets` or `look-up`. */
const onTheWire = ({ operation, input }: SentCall) => {
  if (operation === 'look-up') return operation;
  const tables = Object.keys((input['RequestItems'] as object | undefined) ?? {});
  return `${operation} ${input['TableName'] ?? tables.join()}`;
};
const inTheTrace = ({ namespace, aws, name }: Subsegment) => {
  if (namespace === 'remote') return 'look-up';
  return aws ? `${aws.operation} ${aws.table_name}` : name;
};

const FOUND = [
  'BatchGetItem ApiKeys',
  'UpdateItem ApiKeys',
  'UpdateItem Wallets',
  'look-up',
  'PutItem Wallets',
  'PutItem VerificationLogs',
];

describe('the trace of a verification', () => {
  test('has one subsegment for each documented call, in order, and one for the request', async () => {
    const { statusCode, published, requestId } = await verify('0001', '1', FOUND.length + 1);

    expect(statusCode).toBe(200);
    expect(published.map(inTheTrace)).toEqual([...FOUND, 'nin-basic']);
    expect(sent.map(onTheWire)).toEqual(FOUND);
    expect(published.at(-1)).toMatchObject({
      annotations: { request_id: requestId, route: 'nin-basic', code: 'NIN_VERIFIED' },
      http: { response: { status: 200 } },
    });
  });

  test('has calls that do not overlap and are within the request', async () => {
    const { published } = await verify('0001', '1', FOUND.length + 1);
    const request = published.at(-1);
    const calls = published.slice(0, -1);

    for (const [index, { start_time, end_time }] of calls.entries()) {
      // Start times are whole milliseconds.
      expect(start_time).toBeGreaterThanOrEqual((calls[index - 1]?.end_time ?? 0) - 0.001);
      expect(start_time).toBeGreaterThanOrEqual(request?.start_time ?? Infinity);
      expect(end_time).toBeLessThanOrEqual((request?.end_time ?? 0) + 0.001);
    }
    expect(new Set(published.map(({ id }) => id)).size).toBe(published.length);
  });

  test.each([
    ['0404', 400, 'NIN_NOT_FOUND', ['UpdateItem Wallets', 'UpdateItem ApiKeys', 'UpdateItem ApiKeys']],
    ['0400', 400, 'NIN_VERIFICATION_FAILED', ['UpdateItem Wallets']],
    ['0503', 503, 'SERVICE_UNAVAILABLE', undefined],
  ])(
    'of a number that ends in %s has status %i, code %s and every call',
    async (ending, status, code, after) => {
      const { statusCode, published } = await verify(ending, '1', FOUND.length + 1 + (after?.length ?? 0));

      expect(statusCode).toBe(status);
      expect(published.map(inTheTrace)).toEqual([...sent.map(onTheWire), 'nin-basic']);
      if (after) expect(published.map(inTheTrace)).toEqual([...FOUND, ...after, 'nin-basic']);
      expect(published.at(-1)?.annotations?.['code']).toBe(code);
      expect(published.at(-1)).toHaveProperty(status < 500 ? 'error' : 'fault', true);
    },
  );

  test.each(['0001', '0404', '0400', '0500', '0206'])(
    'of a number that ends in %s contains no identity data and no key',
    async (ending) => {
      const { nin, envelope } = await verify(ending, '1', FOUND.length + 1);
      const identities = [nin, ...identifyingTexts(envelope.data ?? {}), stage.live, stage.organisationId];

      expect(identities.length).toBeGreaterThan(ending === '0001' ? 8 : 2);
      expect(searchText(daemon.datagrams.join('\n'), identities)).toEqual([]);
      expect(searchText(`${daemon.datagrams.join('\n')}\n${nin}`, identities)).not.toEqual([]);
    },
  );

  test('is not sent if the request is not sampled', async () => {
    const { statusCode } = await verify('0001', '0');
    expect(statusCode).toBe(200);
    // Any documents of the unsampled request would arrive before those of the next request.
    const { published } = await verify('0001', '1', FOUND.length + 1);
    expect(published).toHaveLength(FOUND.length + 1);
  });

  test('can be lost without affecting the request', async () => {
    await daemon.close();
    sent.length = 0;
    process.env['_X_AMZN_TRACE_ID'] = traceHeaderOf();
    for (const _ of [1, 2]) {
      const { statusCode } = await invoke(handler, eventOf(stage.live, { id_number: newNin() }));
      expect(statusCode).toBe(200);
    }
    expect(sent.map(onTheWire)).toEqual([...FOUND, ...FOUND]);
  });
});
