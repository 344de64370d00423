import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import type { ServiceEvent } from '../../../shared/events/event.ts';
import { eventBus, type SendEvents } from '../../../shared/events/event-bus.ts';

/** The requests that are sent to EventBridge, and how its responses are handled. */

interface Entry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

/** The entries of each PutEvents call so far. */
const calls: Entry[][] = [];
let target = '';
/** Returns the response to a call, counted from 1: the rejected entries, or a status other than 200. */
let respond: (call: number) => { readonly rejected?: readonly number[]; readonly status?: number };
let server: Listening;
let send: SendEvents;
beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      target = String(request.headers['x-amz-target']);
      const { Entries } = JSON.parse(await text(request)) as { Entries: Entry[] };
      calls.push(Entries);
      const { rejected = [], status = 200 } = respond(calls.length);
      const results = Entries.map((_, index) =>
        rejected.includes(index)
          ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' }
          : { EventId: `event-${index}` },
      );
      const body = status === 200 ? { FailedEntryCount: rejected.length, Entries: results } : {};
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    }),
  );
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_EVENTBRIDGE: server.url,
  });
  send = eventBus('identity-test-events');
});
afterAll(() => server.close());
beforeEach(() => {
  calls.length = 0;
  respond = () => ({});
});

const events = (count: number): ServiceEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'Balance Low',
    id: `id-${index}`,
    detail: { organisation: 'kBDG57GjU9', available: index, low_below: 100 },
  }));
const idsOf = (entries: readonly Entry[]) =>
  entries.map(({ Detail }) => (JSON.parse(Detail) as { id: string }).id);

describe('the event bus', () => {
  test('receives an event in the format of docs/operate/events.md', async () => {
    await send(events(1));

    expect(target).toBe('AWSEvents.PutEvents');
    expect(calls).toEqual([
      [
        {
          EventBusName: 'identity-test-events',
          Source: 'identity-verification',
          DetailType: 'Balance Low',
          Detail: '{"id":"id-0","organisation":"kBDG57GjU9","available":0,"low_below":100}',
        },
      ],
    ]);
  });

  test('receives at most ten events per call, each once and in order', async () => {
    await send(events(23));

    expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(calls.flatMap(idsOf)).toEqual(events(23).map(({ id }) => id));
  });

  test('is not called without events', async () => {
    await send([]);

    expect(calls).toEqual([]);
  });

  test('makes sending fail if it responds with 200 but rejects one of ten events', async () => {
    respond = (call) => (call === 2 ? { rejected: [7] } : {});

    await expect(send(events(30))).rejects.toThrow('The event bus rejected 1 of 10 events.');
    expect(calls).toHaveLength(2);
  });

  test('is called again with the same event IDs if it fails once', async () => {
    respond = (call) => (call === 1 ? { status: 500 } : {});
    await send(events(2));

    expect(calls.map(idsOf)).toEqual([
      ['id-0', 'id-1'],
      ['id-0', 'id-1'],
    ]);
  });

  test.each([500, 503, 400])('makes sending fail if it keeps returning %i', async (status) => {
    respond = () => ({ status });

    await expect(send(events(11))).rejects.toThrow();
    expect(new Set(calls.flatMap(idsOf))).toEqual(new Set(events(10).map(({ id }) => id)));
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  test('makes sending fail if it is unreachable', async () => {
    const closed = await listen(createServer());
    await closed.close();
    process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = closed.url;
    const sendToClosed = eventBus('identity-test-events');

    await expect(sendToClosed(events(1))).rejects.toThrow('ECONNREFUSED');
    expect(calls).toEqual([]);
  });
});
