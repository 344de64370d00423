import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Principals } from '../aws/principals.ts';
import { type Caller, type Rejection, type SignedRequest, verifySignature } from '../aws/signature.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { type Listening, listen, readBody } from '../http-server.ts';
import { arn } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import { type GatewayResponseType, gatewayResponses } from './gateway-responses.ts';
import type { PerApi, RestApi } from './rest-body.ts';
import { type RestTarget, restEvent } from './rest-event.ts';
import { type RestResponse, restResponse } from './rest-response.ts';
import { restRoutes } from './rest-routes.ts';

/** Developer guide, "Quotas and important notes". */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Handles one request. */
export type RestHandler = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens before the handler exists, so that a port in use is reported at once. Requests wait. */
async function startRestServer(
  port: number,
  handler: Promise<RestHandler>,
  option?: string,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (incoming, response) => {
    try {
      await (await handler)(incoming, response);
    } catch {
      // The client or the runtime is gone.
      response.destroy();
    }
  });
  return listen(server, port, option);
}

export interface RestServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  serve(handler: RestHandler): void;
  close(): Promise<void>;
}

/** 0 selects a free port. */
export interface RestPorts {
  readonly port?: number;
  readonly consolePort?: number;
  readonly operatorsPort?: number;
}

/** Requests wait for the handler, and get no response if `cleanup` runs first. */
export async function startRestServers(
  { port = 0, consolePort = 0, operatorsPort = 0 }: RestPorts,
  cleanup: AsyncDisposableStack,
): Promise<Required<PerApi<RestServer>>> {
  const start = async (chosenPort: number, option: string) => {
    const handler = Promise.withResolvers<RestHandler>();
    handler.promise.catch(() => {});
    cleanup.defer(() => handler.reject(new Error('The service stopped.')));
    const { url, close } = await startRestServer(chosenPort, handler.promise, option);
    cleanup.defer(close);
    return { url, close, serve: handler.resolve };
  };
  const started = [
    start(port, '--port'),
    start(consolePort, '--console-port'),
    start(operatorsPort, '--operators-port'),
  ] as const;
  // All ports in use are reported together.
  const settled = await Promise.allSettled(started);
  const problems = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  if (problems.length > 0) throw new Error(problems.join(' '));
  const [api, console, operators] = await Promise.all(started);
  return { api, console, operators };
}

export function restHandler(
  api: RestApi,
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
  principals: Principals,
): RestHandler {
  const routes = restRoutes(api, deployment, poolOf);
  const gatewayResponse = gatewayResponses(api);

  return async (incoming, response) => {
    const requestId = randomUUID();
    const reject = (type: GatewayResponseType, message?: string) => {
      if (response.headersSent) return;
      const { status, headers, body } = gatewayResponse(type, requestId, message);
      response.writeHead(status, headers);
      response.end(body);
    };
    if (headerBytes(incoming.rawHeaders) > MAX_HEADER_BYTES) {
      response.writeHead(431, { 'Content-Type': 'application/json', Connection: 'close' });
      return void response.end(`{"message":"HTTP headers are larger than ${MAX_HEADER_BYTES} bytes."}`);
    }
    const body = await readBody(incoming, MAX_BODY_BYTES);
    const { method = 'GET', url = '/', rawHeaders, socket } = incoming;
    const route = routes.find(method, url);
    if (typeof route === 'string') return reject(route);
    const { pool, timeoutMs, needsSignature, target } = route;
    // Base64 needs four characters for three bytes.
    const isTooLarge = !body || body.length * (target.binary ? 4 / 3 : 1) > MAX_EVENT_BYTES;
    if (isTooLarge) return reject('REQUEST_TOO_LARGE');
    const caller = needsSignature
      ? await authorise({ method, url, headers: incoming.headers, body }, target, principals)
      : undefined;
    if (caller && 'message' in caller) return reject(caller.type, caller.message);

    let timer: NodeJS.Timeout | undefined;
    const result = await pool.invoke((startedAtMs) => {
      if (socket.destroyed) return undefined;
      timer = setTimeout(() => reject('INTEGRATION_TIMEOUT'), timeoutMs);
      const sourceIp = socket.remoteAddress ?? '127.0.0.1';
      return restEvent({ method, url, rawHeaders, body, sourceIp, caller, requestId, startedAtMs }, target);
    }, timeoutMs);
    clearTimeout(timer);
    if (response.headersSent) return;
    const reason = result?.kind === 'failed' ? result.reason : undefined;
    if (reason === 'not-started') return reject('INTEGRATION_TIMEOUT');
    if (reason === 'throttled') return reject('FUNCTION_THROTTLED');
    const returned = result?.kind === 'returned' ? restResponse(result.payload, result.body) : undefined;
    if (!returned || !send(response, returned, requestId)) reject('FUNCTION_FAILED');
  };
}

/** IAM authorisation. */
async function authorise(
  request: SignedRequest,
  { apiId, stage }: RestTarget,
  principals: Principals,
): Promise<Caller | Rejection> {
  const caller = await verifySignature(request, 'execute-api', principals, Date.now());
  if ('message' in caller) return caller;
  const [path] = request.url.split('?');
  const resource = arn('execute-api', `${apiId}/${stage}/${request.method}${path}`);
  const { principal } = caller;
  if (principal.authorise('execute-api:Invoke', resource)) return caller;
  return {
    type: 'ACCESS_DENIED',
    message: `User: ${principal.arn} is not authorized to perform: execute-api:Invoke on resource: ${resource}`,
  };
}

/** Returns false if a header is not valid in HTTP. */
function send(response: ServerResponse, { status, headers, body }: RestResponse, requestId: string): boolean {
  const gatewayHeaders = ['x-amzn-RequestId', requestId, 'Content-Length', String(body.length)];
  try {
    response.writeHead(status, [...headers, ...gatewayHeaders]);
  } catch {
    return false;
  }
  response.end(body);
  return true;
}

/** The quota also counts the request line, which is ignored here. */
function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (let index = 1; index < rawHeaders.length; index += 2) bytes += rawHeaders[index]?.length ?? 0;
  return bytes;
}
