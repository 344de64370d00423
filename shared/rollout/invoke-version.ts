import * as v from 'valibot';
import type { CallAws } from './aws-api.ts';
import type { NewVersion } from './deployment.ts';

/** A request to a route. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>> | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. @default no body */
  readonly body?: object | undefined;
}

export interface RouteResponse {
  readonly status: number;
  readonly contentType: string;
  /** Empty if the body is not an envelope. */
  readonly code: string;
}

/** Without the alias. Throws if the function crashes or times out. */
export type InvokeVersion = (version: NewVersion, request: RouteRequest) => Promise<RouteResponse>;

const response = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.unknown()), {}),
  body: v.optional(v.string(), ''),
});
const envelope = v.pipe(v.string(), v.parseJson(), v.object({ code: v.string() }));

/** Invokes versions through the Lambda API. */
export function lambdaVersions(call: CallAws, nowMs: () => number): InvokeVersion {
  return async ({ functionName, version }, request) => {
    const { headers, body } = await call({
      service: 'lambda',
      action: `Invoke ${functionName}:${version}`,
      path: `/2015-03-31/functions/${functionName}/invocations`,
      query: { Qualifier: version },
      headers: { 'content-type': 'application/json' },
      body: eventOf(request, nowMs()),
    });
    const error = headers.get('x-amz-function-error');
    if (error) throw new Error(`${functionName}:${version} crashed or timed out (${errorType(body)}).`);
    const { statusCode, headers: returned, body: text } = v.parse(response, body);
    const parsed = v.safeParse(envelope, text);
    return {
      status: statusCode,
      contentType: String(returned['Content-Type'] ?? ''),
      code: parsed.success ? parsed.output.code : '',
    };
  };
}

/** Payload version 1. Every body is binary (contract A2). */
function eventOf({ method, path, pathParameters, headers, body }: RouteRequest, nowMs: number) {
  const sent = { ...headers, 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '443' };
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: sent,
    multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters,
    stageVariables: null,
    requestContext: {
      domainName: 'localhost',
      httpMethod: method,
      identity: { sourceIp: '127.0.0.1', userAgent: 'check-new-version' },
      path,
      protocol: 'HTTP/1.1',
      requestTimeEpoch: nowMs,
      resourcePath: path,
    },
    body: body ? Buffer.from(JSON.stringify(body)).toString('base64') : null,
    isBase64Encoded: body !== undefined,
  };
}

/** Messages may quote input. */
function errorType(body: unknown): string {
  const { errorType: type = 'unknown' } = Object(body) as { errorType?: string };
  return type;
}
