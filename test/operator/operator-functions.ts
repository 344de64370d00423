import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { AwsCredentials, Principals, RegisteredPrincipal } from '../../infra/local/aws/principals.ts';
import { verifySignature } from '../../infra/local/aws/signature.ts';
import { listen, readBody } from '../../infra/local/http-server.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { logger } from '../../shared/core/logger.ts';
import type { SendMail } from '../../shared/members/mail.ts';
import { sesMail } from '../../shared/members/ses-mail.ts';
import { ALL_ACTIONS } from '../../shared/operators/actions/all.ts';
import { ACTION_NAMES, type ActionName, actionPath } from '../../shared/operators/actions.ts';
import { backgroundTable } from '../../shared/operators/background-table.ts';
import type { ConsoleAccess, Deployment } from '../../shared/operators/deployment.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';
import type { OperatorDependencies } from '../../shared/operators/routes/dependencies.ts';
import { showBackground } from '../../shared/operators/routes/show-background.ts';
import { deploymentFrom } from '../support/deployment-from.ts';

/**
 * The operator API in this process: verifies signatures and policies like API Gateway, and runs the handlers of the
 * functions.
 */

export interface OperatorFunctionsOptions {
  /** Returns the principals among which the signer of a request is found. */
  readonly principalsFor: (headers: IncomingHttpHeaders) => Pick<Principals, 'withKey'>;
  /** The ARN of the API's stage, to which `/POST/org/approve` is added. */
  readonly stageArn: string;
  /** Returns the deployment as the function of an action may use it. */
  readonly deploymentFor: (action: ActionName | 'show operation') => Deployment;
  /** @default no console */
  readonly console?: () => ConsoleAccess | undefined;
}

const MAX_BYTES = 1_000_000;
const MINUTES_15_MS = 900_000;
const CONTEXT = { getRemainingTimeInMillis: () => MINUTES_15_MS } as Context;

/** Starts the API. `close` waits for changes in the background. */
export async function startOperatorFunctions(options: OperatorFunctionsOptions) {
  // The CLI runs in this process too, and its output is checked.
  logger.setLogLevel('SILENT');
  const running = new Set<Promise<unknown>>();
  const server = createServer(async (incoming, response) => {
    const { status, body } = await respond(incoming, options, running);
    response.writeHead(status, { 'Content-Type': 'application/json', Date: new Date().toUTCString() });
    response.end(body);
  });
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      await close();
      await Promise.allSettled(running);
    },
  };
}

async function respond(
  incoming: IncomingMessage,
  options: OperatorFunctionsOptions,
  running: Set<Promise<unknown>>,
): Promise<{ readonly status: number; readonly body: string }> {
  const { principalsFor, stageArn } = options;
  const { method = '', url = '', headers } = incoming;
  const body = (await readBody(incoming, MAX_BYTES)) ?? Buffer.alloc(0);
  const refuse = (message: string) => ({ status: 403, body: JSON.stringify({ message }) });
  const caller = await verifySignature(
    { method, url, headers, body },
    'execute-api',
    principalsFor(headers) as Principals,
    Date.now(),
  );
  if ('message' in caller) return refuse(caller.message);
  const { arn, authorise } = caller.principal;
  const resource = `${stageArn}/${method}${url}`;
  if (!authorise('execute-api:Invoke', resource))
    return refuse(`User: ${arn} is not authorized to perform: execute-api:Invoke on resource: ${resource}`);
  const event = {
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: body.toString(),
    isBase64Encoded: false,
    pathParameters: { id: url.split('/').at(-1), action: url.split('/').at(-1) },
    requestContext: { requestId: randomUUID(), identity: { userArn: arn } },
  } as unknown as APIGatewayProxyEvent;
  const action = ACTION_NAMES.find(
    (name) => actionPath(name).replace('{action}', url.split('/').at(-1) ?? '') === url,
  );
  const result = await (action
    ? handlerOf(action, options, running)(event, CONTEXT)
    : showBackground(tableOf('show operation', options))(event));
  return { status: result?.statusCode ?? 500, body: result?.body ?? '' };
}

/** The time in AWS, even while a test shifts the clock of the operator's machine. */
const awsNowMs = Date.now;

function handlerOf(action: ActionName, options: OperatorFunctionsOptions, running: Set<Promise<unknown>>) {
  const deps: OperatorDependencies = {
    deployment: options.deploymentFor(action),
    clock: { ...REAL_CLOCK, nowMs: awsNowMs },
    console: options.console ?? (() => undefined),
    background: () => tableOf(action, options),
    async invokeAgain(event) {
      const run = handler(event, CONTEXT).finally(() => running.delete(run));
      running.add(run);
      run.catch(() => undefined);
    },
  };
  const handler = operatorHandler(action, ALL_ACTIONS[action] as never, deps);
  return handler;
}

function tableOf(action: ActionName | 'show operation', { deploymentFor }: OperatorFunctionsOptions) {
  const { client, tables } = deploymentFor(action);
  return backgroundTable(client, tables.approvals);
}

/** The person who uses `admin --local`. */
export const LOCAL_OPERATOR = `arn:aws:iam::000000000000:user/${userInfo().username}`;

function failingMail(): SendMail {
  return sesMail('console@example.com', {
    region: 'eu-west-1',
    // Nothing listens there.
    endpoint: 'http://127.0.0.1:9',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
}

/**
 * Starts the API on the tables and secrets that these variables describe, for people who may make every change. By
 * default, its emails are not sent.
 */
export async function startUnrestrictedOperators(
  environment: Readonly<Record<string, string | undefined>>,
  consoleUrl: string,
  sendMail: SendMail = failingMail(),
) {
  // DynamoDB Local has one database for each access key, so people differ in their session tokens.
  const people = new Map<string, RegisteredPrincipal>();
  const credentialsOf = (arn: string): AwsCredentials => {
    const credentials = {
      AWS_ACCESS_KEY_ID: environment['AWS_ACCESS_KEY_ID'] ?? '',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: Buffer.from(arn).toString('base64url'),
    };
    people.set(credentials.AWS_SESSION_TOKEN, { principal: { arn, authorise: () => true }, credentials });
    return credentials;
  };
  const variables = { ...environment };
  const { url, close } = await startOperatorFunctions({
    principalsFor: (headers) => ({
      withKey: () => people.get(String(headers['x-amz-security-token'])),
    }),
    stageArn: 'arn:aws:execute-api:eu-west-1:000000000000:api/local',
    deploymentFor: () => deploymentFrom(variables),
    console: () => ({ url: consoleUrl, sendMail }),
  });
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = credentialsOf(LOCAL_OPERATOR);
  return {
    url,
    /** What `admin --local` reads from its file. */
    description: {
      adminAwsEnvironment: environment,
      operators: { url, credentials: { accessKeyId, secretAccessKey, sessionToken } },
    },
    credentialsOf,
    configure: (more: Readonly<Record<string, string>>) => void Object.assign(variables, more),
    close,
  };
}
