import '../security/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LambdaHandler } from '../../shared/http/chains.ts';
import { layWires } from '../rigs/bench/stage/one-verification.ts';
import { openStage, type Stage } from '../rigs/bench/stage/stage.ts';
import { eventOf, invoke, newNin } from '../rigs/bench/stage/verify.ts';
import type { SentCall } from '../rigs/bench/stage/wire.ts';
import { captureLines } from '../security/captured.ts';
import { searchText } from '../security/search-log.ts';
import { tellingTexts } from '../support/canaries.ts';
import {
  type Subsegment,
  startTraceDaemon,
  type TraceDaemon,
  traceHeaderOf,
} from '../support/trace-daemon.ts';

/** A whole verification as X-Ray is told of it, beside what was seen on the wires to tables and registry. */
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

/** One request, and what was told of it. `expected` datagrams are waited for. */
async function verify(ending: string, sampled: string, expected = 0) {
  sent.length = 0;
  daemon.datagrams.length = 0;
  process.env['_X_AMZN_TRACE_ID'] = traceHeaderOf({ sampled });
  const nin = newNin(ending);
  const { statusCode, body, headers = {} } = await invoke(handler, eventOf(stage.live, { id_number: nin }));
  const published = await daemon.waitFor(expected);
  return { nin, statusCode, published, answer: JSON.parse(body), requestId: String(headers['X-Request-Id']) };
}

/** `UpdateItem Wallets`, or `look-up` for the registry. */
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
  test('has the documented calls, one subsegment each and in order, and then the request itself', async () => {
    const { statusCode, published, requestId } = await verify('0001', '1', FOUND.length + 1);

    expect(statusCode).toBe(200);
    expect(published.map(inTheTrace)).toEqual([...FOUND, 'nin-basic']);
    expect(sent.map(onTheWire)).toEqual(FOUND);
    expect(published.at(-1)).toMatchObject({
      annotations: { request_id: requestId, route: 'nin-basic', code: 'NIN_VERIFIED' },
      http: { response: { status: 200 } },
    });
  });

  test('spans all its calls, each within it and after the one before', async () => {
    const { published } = await verify('0001', '1', FOUND.length + 1);
    const request = published.at(-1);
    const calls = published.slice(0, -1);

    for (const [place, { start_time, end_time }] of calls.entries()) {
      // Beginnings are whole milliseconds.
      expect(start_time).toBeGreaterThanOrEqual((calls[place - 1]?.end_time ?? 0) - 0.001);
      expect(start_time).toBeGreaterThanOrEqual(request?.start_time ?? Infinity);
      expect(end_time).toBeLessThanOrEqual((request?.end_time ?? 0) + 0.001);
    }
    expect(new Set(published.map(({ id }) => id)).size).toBe(published.length);
  });

  test.each([
    ['0404', 400, 'NIN_NOT_FOUND', ['UpdateItem Wallets', 'UpdateItem ApiKeys']],
    ['0400', 400, 'NIN_VERIFICATION_FAILED', ['UpdateItem Wallets']],
    ['0503', 503, 'SERVICE_UNAVAILABLE', undefined],
  ])('that ends in …%s tells %i %s, and what followed', async (ending, status, code, after) => {
    const { statusCode, published } = await verify(ending, '1', FOUND.length + 1 + (after?.length ?? 0));

    expect(statusCode).toBe(status);
    expect(published.map(inTheTrace)).toEqual([...sent.map(onTheWire), 'nin-basic']);
    if (after) expect(published.map(inTheTrace)).toEqual([...FOUND, ...after, 'nin-basic']);
    expect(published.at(-1)?.annotations?.['code']).toBe(code);
    expect(published.at(-1)).toHaveProperty(status < 500 ? 'error' : 'fault', true);
  });

  test.each(['0001', '0404', '0400', '0500', '0206'])(
    'that ends in …%s has nothing in it that tells of anybody, and no key',
    async (ending) => {
      const { nin, answer } = await verify(ending, '1', FOUND.length + 1);
      const identities = [nin, ...tellingTexts(answer.data ?? {}), stage.live, stage.organisationId];

      expect(identities.length).toBeGreaterThan(ending === '0001' ? 8 : 2);
      expect(searchText(daemon.datagrams.join('\n'), identities)).toEqual([]);
      expect(searchText(`${daemon.datagrams.join('\n')}\n${nin}`, identities)).not.toEqual([]);
    },
  );

  test('is not written where the request is not a sample', async () => {
    const { statusCode } = await verify('0001', '0');
    expect(statusCode).toBe(200);
    // The next sampled request's documents are the first that come.
    const { published } = await verify('0001', '1', FOUND.length + 1);
    expect(published).toHaveLength(FOUND.length + 1);
  });

  test('may be lost, and the request is not', async () => {
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
