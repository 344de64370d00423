import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FunctionPool } from './function-pool.ts';
import { type GatewayResponseType, gatewayResponses } from './gateway-responses.ts';
import { type Listening, listen, readBody } from './http-server.ts';
import { restEvent } from './rest-event.ts';
import { type RestResponse, restResponse } from './rest-response.ts';
import { restRoutes } from './rest-routes.ts';
import type { Deployment } from './template.ts';

/** API Gateway in front of the functions: the one REST API of the templates, on the loopback interface. */

/** Quotas of a REST API (developer guide, "Quotas and important notes"), and of a function's request. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Answers one request; made from the templates, before there is a server. */
export type RestHandler = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The server, listening from the start so that a taken port is known first; requests wait for the handler. */
export async function startRestServer(port: number, handler: Promise<RestHandler>): Promise<Listening> {
  let ready: RestHandler | undefined;
  handler.then((given) => (ready = given)).catch(() => {});
  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (incoming, response) => {
    try {
      await (ready ?? (await handler))(incoming, response);
    } catch {
      // The caller went away, or the runtime stops: there is nobody to answer.
      response.destroy();
    }
  });
  return listen(server, port);
}

/** Answers requests with the functions that the templates put behind their routes. */
export function restHandler(
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
): RestHandler {
  const routes = restRoutes(deployment, poolOf);
  const gatewayResponse = gatewayResponses(deployment, routes.apiId);

  return async (incoming, response) => {
    const requestId = randomUUID();
    const refuse = (type: GatewayResponseType) => {
      if (response.headersSent) return;
      const { status, headers, body } = gatewayResponse(type, requestId);
      response.writeHead(status, { ...headers, 'x-amzn-RequestId': requestId, 'x-amzn-ErrorType': type });
      response.end(body);
    };
    if (headerBytes(incoming.rawHeaders) > MAX_HEADER_BYTES) {
      response.writeHead(431, { 'Content-Type': 'application/json', Connection: 'close' });
      return void response.end(`{"message":"HTTP header is larger than ${MAX_HEADER_BYTES} bytes."}`);
    }
    const body = await readBody(incoming, MAX_BODY_BYTES);
    const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
    const route = routes.find(method, url);
    if (typeof route === 'string') return refuse(route);
    const { pool, timeoutMs, target } = route;
    // Base64 makes four bytes of three.
    const isLarge = !body || body.length * (target.binary ? 4 / 3 : 1) > MAX_EVENT_BYTES;
    if (isLarge) return refuse('REQUEST_TOO_LARGE');

    let timer: NodeJS.Timeout | undefined;
    const outcome = await pool.invoke((takenAtMs) => {
      if (socket.destroyed) return undefined;
      timer = setTimeout(() => refuse('INTEGRATION_TIMEOUT'), timeoutMs);
      const sourceIp = socket.remoteAddress ?? '127.0.0.1';
      return restEvent({ method, url, rawHeaders, body, sourceIp, requestId, takenAtMs }, target);
    });
    clearTimeout(timer);
    if (response.headersSent) return;
    const answer = outcome?.kind === 'returned' ? restResponse(outcome.result, outcome.body) : undefined;
    if (!answer || !send(response, answer, requestId)) refuse('FUNCTION_FAILED');
  };
}

/** False where a header of the function is none that HTTP can carry. */
function send(response: ServerResponse, { status, headers, body }: RestResponse, requestId: string): boolean {
  const own = ['x-amzn-RequestId', requestId, 'Content-Length', String(body.length)];
  try {
    response.writeHead(status, [...headers, ...own]);
  } catch {
    return false;
  }
  response.end(body);
  return true;
}

/** The quota counts header values. */
function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (let index = 1; index < rawHeaders.length; index += 2) bytes += rawHeaders[index]?.length ?? 0;
  return bytes;
}
