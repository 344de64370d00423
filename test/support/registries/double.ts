import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server that speaks one provider's documented shapes; each test file starts its own on a free loopback port. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface DoubleResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestDouble {
  readonly baseUrl: string;
  /** Every request so far, in order. */
  readonly requests: readonly DoubleRequest[];
  stop(): Promise<void>;
}

/** Listens on any free port, or again on that of a stand-in that was stopped. */
export async function startDouble(
  answerTo: (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>,
  wantedPort = 0,
): Promise<TestDouble> {
  const requests: DoubleRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://stand-in');
    const body = await text(incoming);
    const request: DoubleRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      json: body === '' ? {} : JSON.parse(body),
    };
    requests.push(request);
    const answer = await answerTo(request);
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    outgoing.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
