import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { FunctionPool } from './function-pool.ts';
import { callPermissions } from './functions.ts';
import { type GatewayResponseType, gatewayResponses } from './gateway-responses.ts';
import { type Listening, listen, readBody } from './http-server.ts';
import { arn } from './physical-names.ts';
import { type Integration, type Match, matchPath, resourceTree } from './resource-tree.ts';
import { restAnswer } from './rest-answer.ts';
import { restEvent } from './rest-event.ts';
import type { Deployment } from './template.ts';

/** API Gateway in front of the functions: the one REST API of the templates, on the loopback interface. */

/** Quotas of a REST API (developer guide, "Quotas and important notes"), and of a function's request. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

const apiShape = v.object({ BinaryMediaTypes: v.optional(v.array(v.string()), []) });
const stageShape = v.object({ StageName: v.string() });

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

export function restHandler(
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
): RestHandler {
  const [api, another] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stage] = deployment.ofType('AWS::ApiGateway::Stage');
  if (!api || !stage || another) throw new Error('The templates must have one REST API with one stage.');
  const apiId = deployment.name(api);
  const { StageName } = v.parse(stageShape, deployment.properties(stage));
  const binary = v.parse(apiShape, deployment.properties(api)).BinaryMediaTypes.includes('*/*');
  const root = resourceTree(deployment, apiId, `${api.logicalId}/root`);
  const gatewayResponse = gatewayResponses(deployment, apiId);
  const mayCall = callPermissions(deployment);
  const allowed = new Map<Integration, boolean>();

  function isAllowed(integration: Integration, path: string): boolean {
    const known = allowed.get(integration);
    if (known !== undefined) return known;
    const method = integration.httpMethod === 'ANY' ? '*' : integration.httpMethod;
    const source = arn('execute-api', `${apiId}/${StageName}/${method}${path.replace(/\{[^}]+\}/g, '*')}`);
    const answer = mayCall('apigateway.amazonaws.com', source, integration.functionArn);
    allowed.set(integration, answer);
    return answer;
  }

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
    const { method = 'GET', url = '/' } = incoming;
    const match = matchOf(url);
    if (match === 'malformed') return refuse('BAD_REQUEST_PARAMETERS');
    const integration = match?.node.integrations.get(method) ?? match?.node.integrations.get('ANY');
    if (!match || !integration) return refuse('MISSING_AUTHENTICATION_TOKEN');
    // Base64 makes four bytes of three, and a function takes no event above 6 MB.
    if (!body || body.length * (binary ? 4 / 3 : 1) > MAX_EVENT_BYTES) return refuse('REQUEST_TOO_LARGE');
    const pool = poolOf(integration.functionArn);
    if (!pool || !isAllowed(integration, match.node.path)) return refuse('API_CONFIGURATION_ERROR');

    let timer: NodeJS.Timeout | undefined;
    const outcome = await pool.invoke((takenAtMs) => {
      if (incoming.socket.destroyed) return undefined;
      timer = setTimeout(() => refuse('INTEGRATION_TIMEOUT'), integration.timeoutMs);
      return restEvent(
        {
          method,
          url,
          rawHeaders: incoming.rawHeaders,
          body,
          sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
          requestId,
          takenAtMs,
        },
        {
          apiId,
          stage: StageName,
          resourcePath: match.node.path,
          resourceId: match.node.id,
          pathParameters: match.pathParameters,
          binary,
        },
      );
    });
    clearTimeout(timer);
    if (response.headersSent) return;
    const answer = outcome?.kind === 'returned' ? restAnswer(outcome.result, outcome.body) : undefined;
    if (!answer) return refuse('FUNCTION_FAILED');
    response.writeHead(answer.status, [
      ...answer.headers,
      'x-amzn-RequestId',
      requestId,
      'Content-Length',
      String(answer.body.length),
    ]);
    response.end(method === 'HEAD' ? undefined : answer.body);
  };

  function matchOf(url: string): Match | 'malformed' | undefined {
    const query = url.indexOf('?');
    try {
      return matchPath(root, query < 0 ? url : url.slice(0, query));
    } catch {
      return 'malformed';
    }
  }
}

/** The quota counts header values. */
function headerBytes(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (let index = 1; index < rawHeaders.length; index += 2) bytes += rawHeaders[index]?.length ?? 0;
  return bytes;
}
