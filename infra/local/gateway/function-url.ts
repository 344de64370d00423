import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { Principal, Principals } from '../aws/principals.ts';
import { callPermissions } from '../functions/definitions.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { listen, readBody } from '../http-server.ts';
import type { CloudAssembly } from '../templates/cloud-assembly.ts';
import { Deployment } from '../templates/template.ts';

/** Function URLs: one HTTP server per URL. The function receives events of payload version 2. */

const MAX_BODY_BYTES = 6 * 1024 * 1024;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|javascript|x-www-form-urlencoded))/;

const urlShape = v.object({ TargetFunctionArn: v.string(), AuthType: v.picklist(['NONE', 'AWS_IAM']) });

/** The result that a function behind a URL must return. AWS also accepts results without a status. */
const payloadShape = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
});

export interface FunctionUrls {
  /** The address of each URL, by `<logical id>.FunctionUrl`, for references in the templates. */
  readonly attributes: ReadonlyMap<string, string>;
  /** ARNs of the functions that have a URL. */
  readonly targets: ReadonlySet<string>;
}

/**
 * Starts a server for each function URL of the templates. Must be called before any function starts, because the
 * environments of functions contain these addresses. `poolOf` is called for each request.
 */
export async function openFunctionUrls(
  { stacks }: CloudAssembly,
  principals: Principals,
  poolOf: (functionArn: string) => FunctionPool | undefined,
  cleanup: AsyncDisposableStack,
): Promise<FunctionUrls> {
  const deployment = new Deployment(stacks);
  const mayCall = callPermissions(deployment);
  const attributes = new Map<string, string>();
  const targets = new Set<string>();
  for (const resource of deployment.ofType('AWS::Lambda::Url')) {
    const { TargetFunctionArn, AuthType } = v.parse(urlShape, deployment.properties(resource));
    const isPublic = AuthType === 'NONE';
    if (isPublic && !mayCall('*', '', TargetFunctionArn))
      throw new Error(`No permission in the templates allows calls to the URL of ${TargetFunctionArn}.`);
    const isAllowed = (incoming: IncomingMessage) =>
      isPublic || mayInvoke(principals.find(incoming.headers.authorization), TargetFunctionArn);
    const { url, close } = await listen(functionUrlServer(() => poolOf(TargetFunctionArn), isAllowed));
    cleanup.defer(close);
    attributes.set(`${resource.logicalId}.FunctionUrl`, `${url}/`);
    targets.add(TargetFunctionArn);
  }
  return { attributes, targets };
}

/** AWS requires that callers of a function URL have both permissions. */
function mayInvoke(principal: Principal | undefined, functionArn: string): boolean {
  const context = { 'lambda:InvokedViaFunctionUrl': ['true'] };
  return ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'].every((action) =>
    principal?.authorise(action, functionArn, context),
  );
}

function functionUrlServer(
  pool: () => FunctionPool | undefined,
  isAllowed: (incoming: IncomingMessage) => boolean,
): Server {
  return createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (incoming, response) => {
    try {
      if (isAllowed(incoming)) await serve(pool(), incoming, response);
      else forbid(incoming, response);
    } catch {
      response.destroy();
    }
  });
}

/** Responds as AWS does to a request that is not signed by a permitted role. */
function forbid(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume();
  response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"Message":"Forbidden"}');
}

async function serve(
  pool: FunctionPool | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming, MAX_BODY_BYTES);
  if (!body) return void response.writeHead(413).end();
  const result = await pool?.invoke((startedAtMs) =>
    incoming.socket.destroyed ? undefined : urlEvent(incoming, body, startedAtMs),
  );
  // A function URL returns 429 beyond the reserved concurrency (Lambda developer guide, "Function URLs").
  if (result?.kind === 'failed' && result.reason === 'throttled')
    return void response
      .writeHead(429, { 'Content-Type': 'application/json' })
      .end('{"Message":"Rate Exceeded."}');
  const payload = v.safeParse(payloadShape, result?.kind === 'returned' ? result.payload : undefined);
  if (result?.kind !== 'returned' || !payload.success)
    return void response.writeHead(502).end('Internal Server Error');
  response.setHeader('Content-Type', 'application/json');
  response.writeHead(payload.output.statusCode, payload.output.headers).end(result.body);
}

function urlEvent(incoming: IncomingMessage, body: Buffer, startedAtMs: number): APIGatewayProxyEventV2 {
  const { method = 'GET', url = '/' } = incoming;
  const [rawPath = '/', ...query] = url.split('?');
  const rawQueryString = query.join('?');
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  const domainName = headers['host'] ?? 'localhost';
  const isText = TEXT_TYPES.test(headers['content-type'] ?? '');
  const parameters = Object.fromEntries(new URLSearchParams(rawQueryString));
  const time = new Date(startedAtMs).toISOString();
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
      timeEpoch: startedAtMs,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}
