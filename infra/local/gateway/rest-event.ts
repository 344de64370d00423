import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller } from '../aws/signature.ts';
import { ACCOUNT_ID } from '../templates/physical-names.ts';

/** Payload version 1. */

/** A request as the client sent it. */
export interface RestRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  /** Undefined if the method needs no signature. */
  readonly caller?: Caller | undefined;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}

/** The resource that a request path matched. */
export interface RestTarget {
  readonly apiId: string;
  readonly stage: string;
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly binary: boolean;
}

/** Each name with all its values. */
type MultiValues = Record<string, string[]>;

/** API Gateway does not forward them. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

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
  const multiValueHeaders = multiValueHeadersOf(request);
  const headers = lastValues(multiValueHeaders);
  const multiValueQuery = multiValueQueryOf(query.join('?'));
  const domainName = headers[nameIn(headers, 'host')] ?? 'localhost';
  return {
    resource: target.resourcePath,
    path,
    httpMethod: request.method,
    headers,
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastValues(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: Object.keys(target.pathParameters).length > 0 ? target.pathParameters : null,
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
        ...(request.caller && identityOf(request.caller)),
        sourceIp: request.sourceIp,
        userAgent: headers[nameIn(headers, 'user-agent')] ?? null,
      },
      path,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: requestTime(new Date(request.startedAtMs)),
      requestTimeEpoch: request.startedAtMs,
      resourceId: target.resourceId,
      resourcePath: target.resourcePath,
      stage: target.stage,
    },
    body: request.body.length === 0 ? null : request.body.toString(target.binary ? 'base64' : 'utf8'),
    isBase64Encoded: target.binary && request.body.length > 0,
  };
}

/** The account is in no AWS organisation. */
function identityOf({ principal: { arn }, accessKeyId }: Caller) {
  const [kind = '', , session] = arn.split(':').at(-1)?.split('/') ?? [];
  // Here it is derived from the ARN.
  const digest = createHash('sha256').update(arn).digest('hex').slice(0, 17).toUpperCase();
  const id = kind === 'assumed-role' ? `AROA${digest}:${session}` : `AIDA${digest}`;
  return { accessKey: accessKeyId, accountId: ACCOUNT_ID, caller: id, user: id, userArn: arn };
}

function multiValueHeadersOf({ rawHeaders, sourceIp, requestId }: RestRequest): MultiValues {
  const headers = emptyMultiValues();
  const spellings = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lowerName = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lowerName)) continue;
    // The spelling that came first is kept.
    const spelling = spellings.get(lowerName) ?? name;
    spellings.set(lowerName, spelling);
    headers[spelling] = [...(headers[spelling] ?? []), rawHeaders[index + 1] ?? ''];
  }
  // So that the rule against plain HTTP can be tested (contract C12).
  if (!spellings.has('x-forwarded-proto')) headers['X-Forwarded-Proto'] = ['https'];
  if (!spellings.has('x-forwarded-port')) headers['X-Forwarded-Port'] = ['443'];
  const forwardedFor = spellings.get('x-forwarded-for') ?? 'X-Forwarded-For';
  headers[forwardedFor] = [[...(headers[forwardedFor] ?? []), sourceIp].join(', ')];
  if (!spellings.has('x-amzn-trace-id')) headers['X-Amzn-Trace-Id'] = [`Root=1-${requestId}`];
  return headers;
}

function multiValueQueryOf(text: string): MultiValues | null {
  if (text === '') return null;
  const values = emptyMultiValues();
  for (const [name, value] of new URLSearchParams(text)) values[name] = [...(values[name] ?? []), value];
  return values;
}

/** A client may name a header `constructor`. */
function emptyMultiValues(): MultiValues {
  return Object.create(null);
}

function lastValues(multiValues: MultiValues): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const name in multiValues) values[name] = multiValues[name]?.at(-1) ?? '';
  return values;
}

function nameIn(headers: Record<string, string>, lowerName: string): string {
  return Object.keys(headers).find((name) => name.toLowerCase() === lowerName) ?? lowerName;
}

/** Formats a time as in `21/Nov/2026:11:33:41 +0000`. */
function requestTime(date: Date): string {
  const [day, time] = date.toISOString().split(/[T.]/);
  const [year, month, dayOfMonth] = (day ?? '').split('-');
  return `${dayOfMonth}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`;
}
