import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen, readBody } from '../http-server.ts';
import type { UserPool } from '../sign-in/user-pools.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import { type Buckets, isForS3, type S3Response } from './buckets.ts';
import { cognitoResponse } from './cognito.ts';
import { type DatabaseFault, faultOf } from './database-fault.ts';
import { type PutEvent, putEvents } from './event-bus.ts';
import { type InvokeFunction, invokedFunction, lambdaResponse } from './lambda.ts';
import { type Mailbox, SEND_EMAIL_PATH } from './mail.ts';
import type { Principal, Principals } from './principals.ts';
import type { Queue } from './queue.ts';
import type { Secrets } from './secrets.ts';
import { sqsResponse } from './sqs.ts';
import { keyAccess, tableAccesses } from './table-access.ts';
import type { Table } from './tables.ts';

/**
 * The endpoint for all AWS requests of functions and operators. It checks the principal's policies first. It emulates
 * Secrets Manager, Cognito, SES, EventBridge, Lambda, SQS and S3, and forwards DynamoDB requests to DynamoDB Local with
 * only the access key replaced. Tests can inject database faults.
 */

interface AwsEndpointOptions {
  readonly principals: Principals;
  /** By name. */
  readonly tables: ReadonlyMap<string, Table>;
  readonly secrets: Secrets;
  /** @default none */
  readonly userPools?: readonly UserPool[];
  /** @default no email can be sent */
  readonly mailbox?: Mailbox;
  /** Receives the events that functions send. @default no event can be sent */
  readonly publishEvent?: (event: PutEvent) => void;
  /** Invokes a function for another one. @default no function can be invoked */
  readonly invokeFunction?: InvokeFunction;
  /** @default none */
  readonly queues?: readonly Queue[];
  /** @default none */
  readonly buckets?: Buckets;
  readonly dynamoDb: { readonly endpoint: string; readonly accessKeyId: string };
  /** Called for each request that the policies deny, with the message that the caller receives. */
  readonly onDenied: (message: string) => void;
}

export interface AwsEndpoint {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Replaces the faults injected into requests to DynamoDB. Initially, there are none. */
  setFaults(faults: readonly DatabaseFault[]): void;
  close(): Promise<void>;
}

interface SecretRequest {
  readonly SecretId?: string;
  readonly SecretString?: string;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const agent = new Agent({ keepAlive: true });
  let faults: readonly DatabaseFault[] = [];
  const server = createServer((incoming, response) => {
    handle(options, agent, faults, incoming, response).catch(() => {
      send(response, awsError('InternalServerError', 'The local AWS endpoint failed.', 500));
    });
  });
  const { url, close } = await listen(server);
  return {
    url,
    setFaults: (next) => {
      faults = next;
    },
    close: async () => {
      agent.destroy();
      await close();
    },
  };
}

async function handle(
  options: AwsEndpointOptions,
  agent: Agent,
  faults: readonly DatabaseFault[],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming, MAX_BODY_BYTES);
  const principal = options.principals.find(incoming.headers.authorization);
  const deny: Deny = (action, resource) => denied(options, principal, action, resource);
  const invoked = invokedFunction(incoming);
  const [service, operation = ''] = String(incoming.headers['x-amz-target'] ?? '').split('.');
  if (!body) {
    send(response, awsError('RequestEntityTooLargeException', 'The request is too large.', 413));
  } else if (!principal) {
    const message = 'The security token included in the request is invalid.';
    send(response, awsError('UnrecognizedClientException', message));
  } else if (options.buckets && isForS3(incoming.headers.authorization)) {
    const { method = '', url = '', headers } = incoming;
    sendXml(response, options.buckets.respond({ method, url, headers, body }, principal, deny));
  } else if (service === 'DynamoDB_20120810') {
    const rejected = tableAccesses(operation, parse(body), options.tables).find(
      ({ action, resource, context }) => !principal.authorise(action, resource, context),
    );
    const fault = principal.arn.includes(':function:') ? faultOf(faults, body) : undefined;
    if (rejected) send(response, deny(rejected.action, rejected.resource));
    else if (!fault) await forward(options, agent, incoming, body, response);
    else {
      if (fault.isApplied) await forward(options, agent, incoming, body);
      response.destroy();
    }
  } else if (service === 'secretsmanager') {
    send(response, secretResponse(options, principal, operation, parse(body) as SecretRequest, deny));
  } else if (service === 'AWSCognitoIdentityProviderService') {
    send(response, cognitoResponse(options, principal, operation, parse(body), deny));
  } else if (options.publishEvent && service === 'AWSEvents' && operation === 'PutEvents') {
    send(response, putEvents(options.publishEvent, principal, parse(body), deny));
  } else if (service === 'AmazonSQS') {
    send(response, sqsResponse(options.queues ?? [], principal, operation, parse(body), deny));
  } else if (options.invokeFunction && invoked) {
    send(response, lambdaResponse(options.invokeFunction, principal, invoked, incoming, parse(body), deny));
  } else if (options.mailbox && incoming.url === SEND_EMAIL_PATH && incoming.method === 'POST') {
    send(response, options.mailbox.send(principal, parse(body), deny));
  } else {
    send(response, awsError('UnknownOperationException', `The local runtime does not support ${service}.`));
  }
}

/** Forwards a request to DynamoDB Local. Without `response`, drops the response of the database. */
function forward(
  { dynamoDb }: AwsEndpointOptions,
  agent: Agent,
  incoming: IncomingMessage,
  body: Buffer,
  response?: ServerResponse,
): Promise<void> {
  const { authorization = '', ...headers } = incoming.headers;
  headers['content-length'] = String(body.length);
  // DynamoDB Local has one database per access key and listens on every interface. Only this endpoint knows the access
  // key of the database, so the tables can be reached only through it.
  headers['authorization'] = authorization.replace(/Credential=[^/]+/, `Credential=${dynamoDb.accessKeyId}`);
  return new Promise((resolve) => {
    const outgoing = request(dynamoDb.endpoint, { agent, method: 'POST', headers }, (forwarded) => {
      response?.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
      if (response) forwarded.pipe(response);
      else forwarded.resume();
      forwarded.once('close', resolve);
    });
    outgoing.once('error', () => {
      if (response) send(response, awsError('InternalServerError', 'DynamoDB Local does not respond.', 500));
      resolve();
    });
    outgoing.end(body);
  });
}

/** Handles the operations of Secrets Manager that the service and its operators use. */
function secretResponse(
  options: AwsEndpointOptions,
  principal: Principal,
  operation: string,
  { SecretId = '', SecretString }: SecretRequest,
  deny: Deny,
): AwsResponse {
  const { secrets } = options;
  const secret = secrets.find(SecretId);
  const action = `secretsmanager:${operation}`;
  const resource = secret?.arn ?? '*';
  if (!principal.authorise(action, resource)) return deny(action, resource);
  if (secret?.keyArn) {
    const key = keyAccess(secret.keyArn, 'secretsmanager');
    if (!principal.authorise(key.action, key.resource, key.context)) return deny(key.action, key.resource);
  }
  if (!secret) {
    return awsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  const content = { ARN: secret.arn, Name: secret.name, VersionStages: ['AWSCURRENT'] };
  if (operation === 'PutSecretValue' && SecretString !== undefined) {
    secrets.put(secret, SecretString);
    return { status: 200, content: { ...content, VersionId: secret.versionId } };
  }
  if (operation === 'ListSecretVersionIds') {
    const version = { VersionId: secret.versionId, VersionStages: ['AWSCURRENT'] };
    const { ARN, Name } = content;
    return {
      status: 200,
      content: { ARN, Name, Versions: [{ ...version, CreatedDate: secret.storedAtMs / 1000 }] },
    };
  }
  if (operation !== 'GetSecretValue') {
    return awsError('InvalidRequestException', `The local runtime does not support ${action}.`);
  }
  if (secret.value === undefined) {
    const message = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
    return awsError('ResourceNotFoundException', message);
  }
  return { status: 200, content: { ...content, VersionId: secret.versionId, SecretString: secret.value } };
}

function denied(
  { onDenied }: AwsEndpointOptions,
  principal: Principal | undefined,
  action: string,
  resource: string,
): AwsResponse {
  const message = `User: ${principal?.arn} is not authorized to perform: ${action} on resource: ${resource}`;
  onDenied(message);
  return awsError('AccessDeniedException', message);
}

function send(response: ServerResponse, { status, content }: AwsResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(content));
}

function sendXml(response: ServerResponse, { status, content }: S3Response): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(content);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
