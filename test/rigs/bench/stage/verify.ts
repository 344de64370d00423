import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { LambdaHandler } from '../../../../shared/http/chain.ts';

export function eventOf(key: string, body: object, headers: Record<string, string[]> = {}) {
  const event = {
    resource: '/v1/ng/nin-basic',
    path: '/v1/ng/nin-basic',
    httpMethod: 'POST',
    headers: null,
    multiValueHeaders: {
      Authorization: [`Bearer ${key}`],
      'Content-Type': ['application/json'],
      'X-Forwarded-Proto': ['https'],
      ...headers,
    },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: true,
    requestContext: {
      identity: { sourceIp: '203.0.113.7' },
      requestTimeEpoch: Date.now(),
      domainName: 'api.example.com',
      path: '/v1/ng/nin-basic',
    },
  };
  return event as unknown as APIGatewayProxyEvent;
}

let count = 10_000;

/** Returns a NIN that has not been used before. Its last four digits select the sandbox's result. */
export function newNin(ending = '0001'): string {
  count += 1;
  return `2${String(count).padStart(6, '0')}${ending}`;
}

export function invoke(handler: LambdaHandler, event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  return handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
}
