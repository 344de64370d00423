import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { CloudAssembly } from './cloud-assembly.ts';
import type { FunctionPool } from './function-pool.ts';
import { callPermissions } from './functions.ts';
import { listen, readBody } from './http-server.ts';
import { Deployment } from './template.ts';

/** Function URLs: an HTTP listener before one function, with events of payload version 2. */

const MAX_BODY_BYTES = 6 * 1024 * 1024;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|javascript|x-www-form-urlencoded))/;

const urlShape = v.object({ TargetFunctionArn: v.string(), AuthType: v.literal('NONE') });

export interface FunctionUrls {
  /** For the templates: from `<logical id>.FunctionUrl` to the address. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The ARNs of the functions that have a URL. */
  readonly targets: ReadonlySet<string>;
}

/**
 * Opens a listener for each function URL of the templates. They come before all else, since their addresses stand in
 * the environments of other functions; `poolOf` is asked at each request.
 */
export async function openFunctionUrls(
  { stacks }: CloudAssembly,
  poolOf: (functionArn: string) => FunctionPool | undefined,
  cleanup: AsyncDisposableStack,
): Promise<FunctionUrls> {
  const deployment = new Deployment(stacks);
  const mayCall = callPermissions(deployment);
  const attributes = new Map<string, string>();
  const targets = new Set<string>();
  for (const resource of deployment.ofType('AWS::Lambda::Url')) {
    const { TargetFunctionArn } = v.parse(urlShape, deployment.properties(resource));
    if (!mayCall('*', '', TargetFunctionArn))
      throw new Error(`Nobody may call the URL of ${TargetFunctionArn}.`);
    const { url, close } = await listen(functionUrlServer(() => poolOf(TargetFunctionArn)));
    cleanup.defer(close);
    attributes.set(`${resource.logicalId}.FunctionUrl`, `${url}/`);
    targets.add(TargetFunctionArn);
  }
  return { attributes, targets };
}

function functionUrlServer(pool: () => FunctionPool | undefined): Server {
  return createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (incoming, response) => {
    try {
      await answer(pool(), incoming, response);
    } catch {
      response.destroy();
    }
  });
}

async function answer(
  pool: FunctionPool | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming, MAX_BODY_BYTES);
  if (!body) return void response.writeHead(413).end();
  const outcome = await pool?.invoke((takenAtMs) =>
    incoming.socket.destroyed ? undefined : urlEvent(incoming, body, takenAtMs),
  );
  if (outcome?.kind !== 'returned') return void response.writeHead(502).end('Internal Server Error');
  const result = outcome.result as { statusCode?: unknown; headers?: unknown; cookies?: unknown } | null;
  if (result === null || typeof result !== 'object' || !('statusCode' in result)) {
    // A result without a status is the body itself (payload version 2).
    response.writeHead(200, { 'Content-Type': 'application/json' });
    return void response.end(JSON.stringify(result));
  }
  response.statusCode = Number(result.statusCode);
  response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  if (Array.isArray(result.cookies)) response.setHeader('Set-Cookie', result.cookies.map(String));
  response.end(outcome.body);
}

function urlEvent(incoming: IncomingMessage, body: Buffer, takenAtMs: number): APIGatewayProxyEventV2 {
  const { method = 'GET', url = '/' } = incoming;
  const [rawPath = '/', ...query] = url.split('?');
  const rawQueryString = query.join('?');
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  const domainName = headers['host'] ?? 'localhost';
  const isText = TEXT_TYPES.test(headers['content-type'] ?? '');
  const parameters = Object.fromEntries(new URLSearchParams(rawQueryString));
  const time = new Date(takenAtMs).toISOString();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: parameters }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time,
      timeEpoch: takenAtMs,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}
