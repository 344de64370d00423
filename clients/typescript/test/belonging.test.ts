import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { IdentityClient } from '../src/index.ts';

/** No call returns the record of a different call, despite superfluous and interim responses. */

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Behaviour {
  readonly interim?: boolean;
  /** When each response is sent a second time. */
  readonly extra?: 'at once' | 'late';
  /** Whether responses have no Idempotency-Key, as if a proxy had removed it. */
  readonly isWithoutKeys?: boolean;
}

/** Without a 100, which Node.js rejects unless the request asks for it: the call then fails with its key. */
const INTERIM = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';

function responseTo(head: string, body: string, { isWithoutKeys }: Behaviour): string {
  const sent = JSON.parse(body) as { id_number?: string; nin?: string };
  const number = sent.id_number ?? sent.nin ?? '';
  const key = /^idempotency-key: *(.*?)\r?$/im.exec(head)?.[1] ?? '';
  const data = {
    nin: number,
    photo: 'A'.repeat(20_000),
    ...(head.includes('premium') && { tracking_id: '' }),
  };
  const record = { success: true, code: 'NIN_VERIFIED', data };
  const content = sent.nin ? `%PDF-1.7\n${number}` : JSON.stringify(record);
  return [
    'HTTP/1.1 200 OK',
    `Content-Type: ${sent.nin ? 'application/pdf' : 'application/json'}`,
    `Content-Length: ${content.length}`,
    ...(isWithoutKeys ? [] : [`Idempotency-Key: ${key}`]),
    ...(sent.nin ? [`Content-Disposition: attachment; filename="premium_${number}_slip.pdf"`] : []),
    '',
    content,
  ].join('\r\n');
}

function respond(socket: Socket, response: string, { interim, extra }: Behaviour): void {
  socket.write((interim ? INTERIM : '') + response.repeat(extra === 'at once' ? 2 : 1));
  if (extra === 'late') setTimeout(() => socket.write(response), 20);
}

/** Starts a server whose connections stay open. Returns a client of it. */
async function clientOf(behaviour: Behaviour): Promise<IdentityClient> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      const [, head, length] = /^(.*?content-length: *(\d+).*?\r\n\r\n)/is.exec(received) ?? [];
      if (!head || received.length < head.length + Number(length)) return;
      const body = received.slice(head.length, head.length + Number(length));
      received = received.slice(head.length + body.length);
      respond(socket, responseTo(head, body, behaviour), behaviour);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as { port: number };
  return new IdentityClient({
    apiKey: 'idv_test_belonging',
    baseUrl: `http://127.0.0.1:${port}`,
    maxRetries: 5,
  });
}

const numberOf = (index: number) => `1${String(index).padStart(10, '0')}`;

async function lookUp(client: IdentityClient, index: number): Promise<void> {
  const { data } = await client.verify('NIN', numberOf(index));
  expect(data.nin).toBe(numberOf(index));
}

async function lookUpPremium(client: IdentityClient, index: number): Promise<void> {
  const { data } = await client.verify('NIN', numberOf(index), { advance: true });
  expect(data.nin).toBe(numberOf(index));
}

async function download(client: IdentityClient, index: number): Promise<void> {
  const slip = await client.downloadSlip(numberOf(index), 'premium');
  expect(new TextDecoder().decode(slip)).toContain(numberOf(index));
}

async function stream(client: IdentityClient, index: number): Promise<void> {
  const slip = await client.slipStream(numberOf(index), 'premium');
  expect(await new Response(slip).text()).toContain(numberOf(index));
}

/** Makes 24 calls, this many of them at the same time. */
async function callAll(call: typeof lookUp, client: IdentityClient, concurrency: number): Promise<void> {
  const next = Array.from({ length: 24 }, (_, index) => index).values();
  const worker = async () => {
    for (const index of next) await call(client, index);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

describe.each([lookUp, lookUpPremium, download, stream])('%p', (call) => {
  test.each([1, 4])('skips interim responses, with %d calls at a time', async (concurrency) => {
    await callAll(call, await clientOf({ interim: true }), concurrency);
  });

  describe.each(['at once', 'late'] as const)('if each response is sent again %s', (extra) => {
    test.each([1, 4])('returns no response to a different call, with %d at a time', async (concurrency) => {
      await callAll(call, await clientOf({ extra }), concurrency);
    });

    test('returns none even if a proxy removes the keys', async () => {
      await callAll(call, await clientOf({ extra, isWithoutKeys: true }), 1);
    });
  });
});

test('an aborted call leaves no response to the next ones', async () => {
  const client = await clientOf({});
  for (let index = 0; index < 10; index += 1) {
    const aborted = client.verify('NIN', numberOf(100 + index), { signal: AbortSignal.timeout(index) });
    await aborted.catch(() => {});
    await lookUp(client, index);
  }
});
