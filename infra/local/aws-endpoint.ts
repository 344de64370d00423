import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AwsResponse, refusal } from './aws-response.ts';
import type { Caller, Callers } from './callers.ts';
import { listen, readBody } from './http-server.ts';
import { type SecretRequest, secretResponse } from './secret-requests.ts';
import type { Secrets } from './secrets.ts';
import { type TableAccess, tableAccesses } from './table-access.ts';
import type { Table } from './tables.ts';

/**
 * The one address of AWS for the functions: asks the caller's policies first, then answers for Secrets Manager
 * or passes the request on to DynamoDB Local, unchanged but for its access key.
 */

export interface AwsEndpointOptions {
  readonly callers: Callers;
  readonly tables: ReadonlyMap<string, Table>;
  readonly secrets: Secrets;
  readonly dynamoDb: { readonly endpoint: string; readonly accessKeyId: string };
  /** Told of each refusal, in the words that the caller gets too. */
  readonly onRefusal: (words: string) => void;
}

export interface AwsEndpoint {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    answer(options, agent, incoming, response).catch(() => {
      send(response, refusal('InternalServerError', 'The local endpoint failed.', 500));
    });
  });
  const { url, close } = await listen(server);
  return {
    url,
    close: async () => {
      agent.destroy();
      await close();
    },
  };
}

async function answer(
  options: AwsEndpointOptions,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming, MAX_BODY_BYTES);
  const caller = options.callers.of(incoming.headers.authorization);
  const [service, operation = ''] = String(incoming.headers['x-amz-target'] ?? '').split('.');
  if (!body) {
    send(response, refusal('RequestEntityTooLargeException', 'The request is too large.', 413));
  } else if (!caller) {
    const words = 'The security token included in the request is invalid.';
    send(response, refusal('UnrecognizedClientException', words));
  } else if (service === 'DynamoDB_20120810') {
    const accesses = tableAccesses(operation, parse(body), options.tables);
    const refused = accesses.find((access) => !mayAccess(caller, access));
    if (refused) send(response, deny(options, caller, refused.action, refused.resource));
    else await passOn(options, agent, incoming, body, response);
  } else if (service === 'secretsmanager') {
    const request = parse(body) as SecretRequest;
    const action = `secretsmanager:${operation}`;
    const resource = options.secrets.find(request.SecretId ?? '')?.arn ?? '*';
    const allowed = caller.authorise(action, resource);
    const granted = () => secretResponse(options.secrets, operation, request);
    send(response, allowed ? granted() : deny(options, caller, action, resource));
  } else {
    send(response, refusal('UnknownOperationException', `The local endpoint does not know ${service}.`));
  }
}

function mayAccess(caller: Caller, { action, resource, context }: TableAccess): boolean {
  return caller.authorise(action, resource, context);
}

function passOn(
  { dynamoDb }: AwsEndpointOptions,
  agent: Agent,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { authorization = '', ...headers } = incoming.headers;
  headers['content-length'] = String(body.length);
  // DynamoDB Local keeps a database per access key, and listens on every interface: all requests that went
  // through here use one secret key, so that nobody beside this endpoint sees the tables.
  headers['authorization'] = authorization.replace(/Credential=[^/]+/, `Credential=${dynamoDb.accessKeyId}`);
  return new Promise((done) => {
    const outgoing = request(dynamoDb.endpoint, { agent, method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('close', done);
    });
    outgoing.once('error', () => {
      send(response, refusal('InternalServerError', 'DynamoDB Local does not answer.', 500));
      done();
    });
    outgoing.end(body);
  });
}

function deny(
  { onRefusal }: AwsEndpointOptions,
  caller: Caller,
  action: string,
  resource: string,
): AwsResponse {
  const words = `User: ${caller.arn} is not authorized to perform: ${action} on resource: ${resource}`;
  onRefusal(words);
  return refusal('AccessDeniedException', words);
}

function send(response: ServerResponse, { status, content }: AwsResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(content));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
