import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import type { ServiceEvent } from '../../../shared/events/event.ts';
import { eventBus, type SendEvents } from '../../../shared/events/event-bus.ts';

/** What is sent to EventBridge, on the wire, and what is made of its answers. */

interface Entry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

/** The calls of PutEvents so far, each with its entries. */
const calls: Entry[][] = [];
let target = '';
/** What the next call is answered: which of its entries are refused, or a status other than 200. */
let answer: (call: number) => { readonly refused?: readonly number[]; readonly status?: number };
let server: Listening;
let send: SendEvents;
beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      target = String(request.headers['x-amz-target']);
      const { Entries } = JSON.parse(await text(request)) as { Entries: Entry[] };
      calls.push(Entries);
      const { refused = [], status = 200 } = answer(calls.length);
      const results = Entries.map((_, place) =>
        refused.includes(place)
          ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' }
          : { EventId: `event-${place}` },
      );
      const body = status === 200 ? { FailedEntryCount: refused.length, Entries: results } : {};
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    }),
  );
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_EVENTBRIDGE: server.url,
  });
  send = eventBus('identity-test-events', 'identity-verification');
});
afterAll(() => server.close());
beforeEach(() => {
  calls.length = 0;
  answer = () => ({});
});

const events = (count: number): ServiceEvent[] =>
  Array.from({ length: count }, (_, place) => ({
    type: 'Balance Low',
    id: `id-${place}`,
    detail: { organisation: 'kBDG57GjU9', available: place, low_below: 100 },
  }));
const idsOf = (entries: readonly Entry[]) =>
  entries.map(({ Detail }) => (JSON.parse(Detail) as { id: string }).id);

describe('the event bus', () => {
  test('is sent an event as docs/events.md has it', async () => {
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

  test('is sent no more than ten at once, each once and in order', async () => {
    await send(events(23));

    expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(calls.flatMap(idsOf)).toEqual(events(23).map(({ id }) => id));
  });

  test('is not called where nothing has changed', async () => {
    await send([]);

    expect(calls).toEqual([]);
  });

  test('that refuses one of ten, with status 200, has not taken them: the sending fails', async () => {
    answer = (call) => (call === 2 ? { refused: [7] } : {});

    await expect(send(events(30))).rejects.toThrow('The event bus did not take all events.');
    expect(calls).toHaveLength(2);
  });

  test('that fails once is asked again, with the same ids', async () => {
    answer = (call) => (call === 1 ? { status: 500 } : {});
    await send(events(2));

    expect(calls.map(idsOf)).toEqual([
      ['id-0', 'id-1'],
      ['id-0', 'id-1'],
    ]);
  });

  test.each([500, 503, 400])('that answers %i for good makes the sending fail', async (status) => {
    answer = () => ({ status });

    await expect(send(events(11))).rejects.toThrow();
    expect(new Set(calls.flatMap(idsOf))).toEqual(new Set(events(10).map(({ id }) => id)));
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  test('that nobody can reach makes the sending fail', async () => {
    const gone = await listen(createServer());
    await gone.close();
    process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = gone.url;
    const sendNowhere = eventBus('identity-test-events', 'identity-verification');

    await expect(sendNowhere(events(1))).rejects.toThrow('ECONNREFUSED');
    expect(calls).toEqual([]);
  });
});
