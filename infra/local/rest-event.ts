import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ACCOUNT_ID } from './physical-names.ts';
import { emptyLists, type HeaderSource, headerLists, type Lists, lastValues } from './rest-lists.ts';

/** The event that API Gateway hands to a function: payload version 1 of a REST API. */

/** One request as it came in. */
export interface RestRequest extends HeaderSource {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly body: Buffer;
  /** When an instance took the request, in epoch milliseconds. */
  readonly takenAtMs: number;
}

/** Where it goes. */
export interface RestTarget {
  readonly apiId: string;
  readonly stage: string;
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly pathParameters: Readonly<Record<string, string>> | null;
  /** Does the API treat every body as binary (`*∕*` among its binary media types)? */
  readonly binary: boolean;
}

const IDENTITY = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function restEvent(request: RestRequest, target: RestTarget): APIGatewayProxyEvent {
  const [path = '/', ...query] = request.url.split('?');
  const multiValueHeaders = headerLists(request);
  const headers = lastValues(multiValueHeaders);
  const multiValueQuery = queryOf(query.join('?'));
  const domainName = headers[nameIn(headers, 'host')] ?? 'localhost';
  return {
    resource: target.resourcePath,
    path,
    httpMethod: request.method,
    headers,
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastValues(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: target.pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT_ID,
      apiId: target.apiId,
      authorizer: null,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      extendedRequestId: request.requestId,
      httpMethod: request.method,
      identity: {
        ...IDENTITY,
        sourceIp: request.sourceIp,
        userAgent: headers[nameIn(headers, 'user-agent')] ?? null,
      },
      path,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: requestTime(new Date(request.takenAtMs)),
      requestTimeEpoch: request.takenAtMs,
      resourceId: target.resourceId,
      resourcePath: target.resourcePath,
      stage: target.stage,
    },
    body: request.body.length === 0 ? null : request.body.toString(target.binary ? 'base64' : 'utf8'),
    isBase64Encoded: target.binary && request.body.length > 0,
  };
}

function queryOf(text: string): Lists | null {
  if (text === '') return null;
  const lists = emptyLists();
  for (const [name, value] of new URLSearchParams(text)) lists[name] = [...(lists[name] ?? []), value];
  return lists;
}

function nameIn(headers: Record<string, string>, lowerName: string): string {
  return Object.keys(headers).find((name) => name.toLowerCase() === lowerName) ?? lowerName;
}

/** For example `21/Nov/2026:11:33:41 +0000`. */
function requestTime(date: Date): string {
  const [day, time] = date.toISOString().split(/[T.]/);
  const [year, month, dayOfMonth] = (day ?? '').split('-');
  return `${dayOfMonth}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`;
}
