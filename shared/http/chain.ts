import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ServiceError } from '../core/errors.ts';
import { errorFields, logger } from '../core/logger.ts';
import { beginSubsegment } from '../core/trace.ts';
import type { Hook, Middleware, RequestContext, RouteContext } from './context.ts';
import { reportRequest } from './report-request.ts';
import type { HttpResponse } from './result.ts';

/**
 * Runs the checks in order, then the route, and makes one response with its log line, metrics and trace. The first
 * check that fails determines the response.
 */

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Differs between the API and the console. */
export interface Format<C extends RequestContext> {
  /** In logs, metrics and traces. */
  readonly name: string;
  /** Returns the initial context of a request. */
  begin(event: APIGatewayProxyEvent): C;
  /** Undefined if the route returned no result. */
  ofResult(result: unknown, requestContext: C, event: APIGatewayProxyEvent): HttpResponse | undefined;
  ofError(error: ServiceError, requestContext: C, event: APIGatewayProxyEvent): HttpResponse;
}

/** Returns the handler of a route. */
export function chain<C extends RequestContext>(
  format: Format<C>,
  checks: readonly Middleware<C>[],
  run: (requestContext: C, event: APIGatewayProxyEvent) => unknown,
): LambdaHandler {
  const engine = middy<APIGatewayProxyEvent, unknown, Error, RouteContext<C>>();
  for (const middleware of [respond(format), ...checks.map(timed)]) engine.use(middleware);
  engine.handler(async (event, { requestContext }) =>
    timedStep(requestContext, 'route', async () => run(requestContext, event)),
  );
  return async (event, context) => {
    const requestContext = format.begin(event);
    // Of every line until the next request. API Gateway's access log has the same ID.
    logger.appendKeys({ lambda_request_id: context.awsRequestId });
    requestContext.line.isColdStart = isColdStart;
    isColdStart = false;
    const endTrace = beginSubsegment(format.name);
    const response = await engine(event, Object.assign(context, { requestContext }));
    if (!isResponse(response)) throw new Error(`The chain of ${format.name} ended without a response.`);
    await Promise.allSettled(requestContext.pending);
    const { requestId, line } = requestContext;
    const annotations = { request_id: requestId, route: format.name, code: line.code };
    // Lambda freezes the function after the response.
    await endTrace?.({ status: response.statusCode, fields: { annotations } });
    return response;
  };
}

let isColdStart = true;

/** Measures the hooks of a check. Those that run after the route are named `<check>End`. */
function timed<C extends RequestContext>({ name, before, after, onError }: Middleware<C>): Middleware<C> {
  const hook = (step: string, run: Hook<C>): Hook<C> => {
    return async (request) => timedStep(request.context.requestContext, step, async () => run(request));
  };
  return {
    name,
    ...(before && { before: hook(name, before) }),
    ...(after && { after: hook(`${name}End`, after) }),
    ...(onError && { onError: hook(`${name}End`, onError) }),
  };
}

async function timedStep<T>(
  { line: { steps } }: RequestContext,
  step: string,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await run();
  } finally {
    const tookMs = Math.round(performance.now() - startedAt);
    if (tookMs > 0) steps[step] = (steps[step] ?? 0) + tookMs;
  }
}

const isResponse = (response: unknown): response is HttpResponse =>
  typeof response === 'object' && response !== null && 'statusCode' in response;

/**
 * The outermost middleware, which receives the results of all others. Its `onError` calls only pure code, logs and
 * metrics, because an error in it would lose the response.
 */
function respond<C extends RequestContext>({ name, ofResult, ofError }: Format<C>): Middleware<C> {
  return {
    name: 'respond',
    async after(request) {
      const { requestContext } = request.context;
      const response = ofResult(request.response, requestContext, request.event);
      if (!response) throw new Error(`The route ${name} returned no result.`);
      reportRequest(name, requestContext, response.statusCode);
      request.response = response;
    },
    async onError(request) {
      const { requestContext } = request.context;
      const { line } = requestContext;
      // A retry under the same Idempotency-Key returns the record free of charge.
      const isRecordLost = line.creditsCharged > 0;
      line.creditsCharged = 0;
      const fault = new ServiceError(isRecordLost ? 'OUTCOME_UNKNOWN' : 'SERVER_ERROR');
      const known = request.error instanceof ServiceError && !isRecordLost ? request.error : fault;
      if (known !== request.error) line.detail = JSON.stringify(errorFields(request.error));
      else if (known.cause !== undefined) line.detail ||= JSON.stringify(errorFields(known.cause));
      const response = ofError(known, requestContext, request.event);
      reportRequest(name, requestContext, response.statusCode);
      request.response = response;
    },
  };
}
