import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type ProgramResult, run } from '../support/programs.ts';
import { baseUrl, organisation } from '../support/service.ts';

/**
 * Runs `npm run smoke` against the running service, and against the same service behind a proxy with one fault.
 */

const PROGRAM = fileURLToPath(new URL('../../clients/operator/smoke.ts', import.meta.url));
const CHECKS = 11;

const customer = await organisation({ credits: 50 });

function smoke(url: string, key: string | undefined = customer.test): Promise<ProgramResult> {
  const env = { ...process.env, SMOKE_API_KEY: key };
  return run(process.execPath, [PROGRAM, '--url', url], { env });
}

interface Exchange {
  readonly method: string;
  path: string;
  readonly requestHeaders: IncomingHttpHeaders;
  status: number;
  readonly headers: Headers;
  text: string;
}

interface Fault {
  readonly request?: (exchange: Exchange) => void;
  readonly response?: (exchange: Exchange) => void;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a proxy in front of the service, with a fault. Returns its address. */
async function proxy({ request, response }: Fault): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers: requestHeaders } = incoming;
    const exchange: Exchange = {
      method,
      path,
      requestHeaders,
      status: 0,
      headers: new Headers(),
      text: '',
    };
    request?.(exchange);
    const kept = ['authorization', 'content-length', 'content-type', 'idempotency-key'].flatMap((name) => {
      const value = requestHeaders[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    // One check sends 10 MB, so the body is streamed.
    const passedOn = sendRequest(`${baseUrl}${exchange.path}`, { method, headers: Object.fromEntries(kept) });
    incoming.pipe(passedOn);
    const [responded] = (await once(passedOn, 'response')) as [IncomingMessage];
    exchange.status = responded.statusCode ?? 0;
    exchange.text = await text(responded);
    for (const name of ['x-request-id', 'x-credits-charged', 'idempotent-replayed']) {
      const value = responded.headers[name];
      if (typeof value === 'string') exchange.headers.set(name, value);
    }
    response?.(exchange);
    outgoing.writeHead(exchange.status, Object.fromEntries(exchange.headers)).end(exchange.text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  [
    'does not serve a trailing slash',
    { request: (one) => Object.assign(one, { path: one.path.replace(/health\/$/, 'health/x') }) },
    'health, with a trailing slash: the response is 404 ROUTE_NOT_FOUND, but 200 HEALTH was expected',
  ],
  [
    'returns API Gateway errors without a request ID',
    { response: (one) => one.status === 413 && one.headers.delete('x-request-id') },
    "API Gateway's own response to a body above 10 MB: the header X-Request-Id is missing",
  ],
  [
    'returns the name of the variable as the request ID',
    { response: (one) => one.status === 413 && one.headers.set('x-request-id', 'context.requestId') },
    'meta.request_id is ',
  ],
  [
    'accepts requests without a key',
    {
      request: (one) => Object.assign(one.requestHeaders, { authorization: `Bearer ${customer.test}` }),
    },
    'request without a key: the response is 200 NIN_VERIFIED, but 401 ',
  ],
  [
    'charges a replay',
    {
      request: ({ requestHeaders }) => {
        if (requestHeaders['idempotency-key']) requestHeaders['idempotency-key'] = `another-${Math.random()}`;
      },
    },
    'replay of the verification: X-Credits-Charged is 1, but 0 was expected',
  ],
  [
    'charges a look-up that finds nothing',
    {
      response: (one) => one.text.includes('NIN_NOT_FOUND') && one.headers.set('x-credits-charged', '1'),
    },
    'number without a record: X-Credits-Charged is 1, but 0 was expected',
  ],
  [
    'returns a record for a different number',
    {
      response: (one) => {
        one.text = one.text.replace(/"nin":"\d+"/, '"nin":"70000000001"');
      },
    },
    'verification: data.nin is 70000000001',
  ],
  [
    'returns a different record on a replay',
    {
      response: (one) => {
        if (one.headers.has('idempotent-replayed'))
          one.text = one.text.replace(/"firstname":"\w+"/, '"firstname":"OTHER"');
      },
    },
    'replay of the verification: data is ',
  ],
  [
    'returns a page instead of an envelope',
    {
      response: (one) => {
        one.text = '<html>';
      },
    },
    'the response is 200 without a code, but 200 HEALTH was expected',
  ],
];

describe('the smoke test', () => {
  test('passes against the running service, and costs one test credit', async () => {
    const before = await customer.balance('test');
    const { code, output } = await smoke(baseUrl);
    expect(output).toMatch(new RegExp(`${CHECKS} of ${CHECKS} checks passed\n$`));
    expect(output.match(/^ok {6}/gm)).toHaveLength(CHECKS);
    expect(code).toBe(0);
    const after = await customer.balance('test');
    expect(after.available).toBe(before.available - 1);
    expect(output).not.toContain(customer.test);
  });

  test('passes behind the proxy in these tests if the proxy has no fault', async () => {
    const { code, output } = await smoke(await proxy({}));
    expect(output).toContain(`${CHECKS} of ${CHECKS} checks passed`);
    expect(code).toBe(0);
  });

  test.each(FAULTS)('fails if the service %s', async (_, fault, message) => {
    const { code, output } = await smoke(await proxy(fault));
    expect(output).toContain(message);
    expect(output).toMatch(/^FAILED {2}/m);
    expect(code).toBe(1);
  });

  test('fails if nothing responds', async () => {
    const { code, output } = await smoke('http://127.0.0.1:9');
    expect(output).toContain(`0 of ${CHECKS} checks passed`);
    expect(output).toContain('FAILED  balance: fetch failed');
    expect(code).toBe(1);
  });

  test.each([
    ['a live key', customer.live, 'SMOKE_API_KEY is a live key'],
    ['an incomplete key', customer.test.slice(0, -1), 'SMOKE_API_KEY is not a valid API key'],
    ['no key', '', 'SMOKE_API_KEY is not set'],
  ])('sends nothing with %s', async (_, key, message) => {
    const { code, output } = await smoke('http://127.0.0.1:9', key);
    expect(output).toContain(message);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(1);
  });

  test.each(['http://api.example.com', 'api.example.com', 'ftp://api.example.com'])(
    'rejects the address %s',
    async (url) => {
      const { code, output } = await smoke(url);
      expect(output).toContain('Use an https address');
      expect(code).toBe(1);
    },
  );
});
