import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { type Listening, listen } from '../../infra/local/http-server.ts';

/** DynamoDB operations that were sent before any of them had a response, such as `['BatchGetItem', 'Query']`. */
export type RoundTrip = readonly string[];

/**
 * How long the proxy waits without a new request before it forwards the held ones. Requests that are sent at the same
 * time arrive together.
 */
const QUIET_MS = 100;

/**
 * Starts a DynamoDB proxy that counts sequential round trips. It holds requests until no more arrive, and then forwards
 * all of them. So requests that do not wait for each other count as one round trip, however slow the machine is.
 */
export async function startRoundTripCounter(targetUrl: string, roundTrips: RoundTrip[]): Promise<Listening> {
  const agent = new Agent({ keepAlive: true });
  let waiting: { operation: string; pass: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const passAll = async () => {
    // Requests that arrived while the process was busy are read first.
    const count = waiting.length;
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    if (waiting.length > count) return;
    const held = waiting;
    waiting = [];
    roundTrips.push(held.map(({ operation }) => operation).sort());
    for (const { pass } of held) pass();
  };
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const { method, headers } = incoming;
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const pass = () => {
      request(new URL(incoming.url ?? '/', targetUrl), { method, headers, agent }, async (passed) => {
        const bytes = await buffer(passed);
        response.writeHead(passed.statusCode ?? 500, passed.headers).end(bytes);
      })
        .once('error', (error) => response.destroy(error))
        .end(body);
    };
    waiting.push({ operation, pass });
    clearTimeout(timer);
    timer = setTimeout(passAll, QUIET_MS);
  });
  const listening = await listen(server);
  return {
    ...listening,
    close: async () => {
      clearTimeout(timer);
      agent.destroy();
      await listening.close();
    },
  };
}
