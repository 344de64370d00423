import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../infra/local/http-server.ts';
import { type Json, undocumentedFields } from './fixtures.ts';

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

/** Starts a test double on a loopback port: `wantedPort`, or by default any free one. */
export async function startDouble(
  respond: (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>,
  wantedPort = 0,
): Promise<TestDouble> {
  const requests: DoubleRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://double');
    const body = await text(incoming);
    const request: DoubleRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      json: body === '' ? {} : JSON.parse(body),
    };
    requests.push(request);
    const response = await respond(request);
    outgoing.writeHead(response.status, { 'content-type': 'application/json', ...response.headers });
    outgoing.end(typeof response.body === 'string' ? response.body : JSON.stringify(response.body));
  });
  const { url, close } = await listen(server, wantedPort);
  return { baseUrl: url, requests, stop: close };
}

export interface ProviderResponse extends DoubleResponse {
  /**
   * The product of the fixture on which the body is based. Undefined for a token, because no provider publishes a
   * sample of one.
   */
  readonly product: string | undefined;
}

/**
 * Starts a test double for a provider. `stop` throws if a successful response of the double contained a field that none
 * of the provider's fixtures contains for this product, so that adapters are not tested with invented fields. Error
 * responses are not checked, because providers rarely publish samples of them.
 */
export async function startProviderDouble(
  provider: string,
  respond: (request: DoubleRequest) => ProviderResponse,
): Promise<TestDouble> {
  const undocumented = new Set<string>();
  const double = await startDouble((request) => {
    const { product, ...response } = respond(request);
    if (product !== undefined && response.status < 300) {
      const fields = undocumentedFields(provider, product, response.body as Json);
      for (const field of fields) undocumented.add(`${product}: ${field}`);
    }
    return response;
  });
  return {
    ...double,
    stop: async () => {
      await double.stop();
      if (undocumented.size > 0)
        throw new Error(
          `The double for ${provider} sent undocumented fields: ${[...undocumented].join(', ')}`,
        );
    },
  };
}
