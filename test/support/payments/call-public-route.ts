import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { publicRoute, type Run } from '../../../shared/http/public-route.ts';

export interface PublicCall {
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly query?: Readonly<Record<string, string>> | null;
}

export interface PublicResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls a public route in this process, through its middleware chain, as API Gateway would. */
export async function callPublicRoute(
  run: Run,
  { body, headers = {}, query = null }: PublicCall,
): Promise<PublicResponse> {
  const event = {
    httpMethod: body ? 'POST' : 'GET',
    path: '/v1/payments',
    body: body ? Buffer.from(body).toString('base64') : null,
    isBase64Encoded: body !== undefined,
    multiValueHeaders: headers,
    headers: {},
    queryStringParameters: query,
    requestContext: { requestTimeEpoch: Date.now(), identity: { sourceIp: '192.0.2.10' } },
  };
  const handler = publicRoute('payments', run);
  const response = await handler(event as unknown as APIGatewayProxyEvent, {} as Context);
  return { status: response.statusCode, body: response.body, headers: response.headers ?? {} };
}
