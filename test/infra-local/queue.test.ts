import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Principals } from '../../infra/local/aws/principals.ts';
import type { FunctionLog } from '../../infra/local/functions/function-log.ts';
import { FunctionPool } from '../../infra/local/functions/function-pool.ts';
import { restHandler } from '../../infra/local/gateway/rest-api.ts';
import { restApisOf } from '../../infra/local/gateway/rest-body.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

/** Requests for which no function instance is free. Time is controlled by the test, and no process is started. */

const FUNCTION_ARN = 'arn:aws:lambda:eu-west-1:000000000000:function:f';
const deployment = new Deployment([
  {
    name: 's',
    template: {
      Resources: {
        Api: {
          Type: 'AWS::ApiGateway::RestApi',
          Properties: {
            Body: {
              openapi: '3.0.1',
              info: {},
              paths: {
                '/': {
                  post: {
                    'x-amazon-apigateway-integration': {
                      type: 'aws_proxy',
                      httpMethod: 'POST',
                      uri: `arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/${FUNCTION_ARN}/invocations`,
                    },
                  },
                },
              },
              'x-amazon-apigateway-gateway-responses': {
                DEFAULT_5XX: { responseTemplates: { 'application/json': '{"code":"SERVER_ERROR"}' } },
                INTEGRATION_TIMEOUT: {
                  statusCode: '504',
                  responseTemplates: { 'application/json': '{"code":"TIMEOUT"}' },
                },
              },
            },
          },
        },
        Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'v1', RestApiId: { Ref: 'Api' } } },
        Permission: {
          Type: 'AWS::Lambda::Permission',
          Properties: {
            Action: 'lambda:InvokeFunction',
            Principal: 'apigateway.amazonaws.com',
            FunctionName: FUNCTION_ARN,
          },
        },
      },
    },
  },
]);

/** Returns a pool that never has a free instance. */
function busyPool(reservedConcurrency?: number): FunctionPool {
  const definition = {
    reservedConcurrency,
    ...{ name: 'f', physicalName: 'f', arn: FUNCTION_ARN, roleArn: '', directory: '', file: '' },
    ...{ exportName: 'handler', handler: 'index.handler', timeoutMs: 28_000, memoryMb: 128, environment: {} },
  };
  const log = { platform: () => undefined } as unknown as FunctionLog;
  return new FunctionPool({ definition, maxInstances: 0, entryFile: '', environment: {}, log });
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Sends a request through API Gateway. What the client receives is added to `sent`. */
function send(pool: FunctionPool, sent: unknown[]): void {
  const incoming = Object.assign(Readable.from([]), {
    ...{ method: 'POST', url: '/', rawHeaders: [], socket: { destroyed: false } },
  });
  const response = {
    headersSent: false,
    writeHead: (status: number) => sent.push(status),
    end: (body: string) => sent.push(body),
  };
  void restHandler(
    restApisOf(deployment).api,
    deployment,
    () => pool,
    new Principals(),
  )(incoming as unknown as IncomingMessage, response as unknown as ServerResponse);
}

test('a request that waits for an instance for 29 s times out in API Gateway and never runs', async () => {
  const pool = busyPool();
  const sent: unknown[] = [];
  send(pool, sent);
  await jest.advanceTimersByTimeAsync(28_999);
  expect(sent).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);

  expect(sent).toEqual([504, '{"code":"TIMEOUT"}']);
  // The queue is empty, so a retired pool has nothing left to serve.
  await pool.retire();
});
