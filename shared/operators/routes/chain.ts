import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { auditTable } from '../../audit/audit-table.ts';
import { auditRecorder } from '../../audit/recorder.ts';
import { CATALOGUE, type ErrorCode, ServiceError } from '../../core/errors.ts';
import { newOperationId } from '../../core/ids.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { parseConsoleBody } from '../../http/console/body-error.ts';
import { readJson } from '../../http/read-json.ts';
import type { Action, ActionContext, ActionOutcome, InputSchema } from '../action.ts';
import type { ActionName } from '../actions.ts';
import { type BackgroundEvent, continueInBackground, isBackgroundEvent } from '../background.ts';
import { faultMessage, operatorMessage } from '../operator-message.ts';
import { type OperatorDependencies, operatorDependencies } from './dependencies.ts';
import { callerOf, json, NOT_POSSIBLE } from './responses.ts';

/**
 * The chain of the operator API. API Gateway has checked the signature and the policy of the caller. The response is
 * JSON: `result`, `requested` (a second person must approve), `background` (the ID of a change that continues), or
 * `error` with a message for the operator.
 */

export type OperatorHandler = (
  event: APIGatewayProxyEvent | BackgroundEvent,
  context: Context,
) => Promise<APIGatewayProxyResult | undefined>;

type Response = ActionOutcome<unknown, unknown> | APIGatewayProxyResult;

/** Returns the handler of a change. */
export function operatorHandler<S extends InputSchema, R, W>(
  name: ActionName,
  action: Action<S, R, W>,
  deps: OperatorDependencies = operatorDependencies(),
): OperatorHandler {
  const engine = middy<APIGatewayProxyEvent, Response, Error, Context>()
    .use(respond(name, deps))
    .handler((event) => {
      const commandId = newOperationId(deps.clock.nowMs());
      const context = contextOf(name, callerOf(event), commandId, deps, event.pathParameters ?? {});
      return action.run(parseConsoleBody(action.body, readJson(event)), context);
    });
  return async (event, context) => {
    logger.appendKeys({ lambda_request_id: context.awsRequestId });
    if (!isBackgroundEvent(event)) return (await engine(event, context)) as APIGatewayProxyResult;
    const background = {
      changes: deps.background(),
      invokeAgain: deps.invokeAgain,
      remainingMs: () => context.getRemainingTimeInMillis(),
      nowMs: deps.clock.nowMs,
      requestId: context.awsRequestId,
    };
    const inBackground = contextOf(name, event.actor, event.backgroundId, deps);
    await continueInBackground(action, event, inBackground, background);
    return undefined;
  };
}

/** Ends the chain: stores a change that continues in the background, and creates the response. */
function respond(
  change: ActionName,
  { background, invokeAgain, clock }: OperatorDependencies,
): middy.MiddlewareObj<APIGatewayProxyEvent, Response, Error, Context> {
  return {
    async after(request) {
      const outcome = request.response as ActionOutcome<unknown, unknown>;
      if (outcome.kind === 'accepted') {
        const actor = callerOf(request.event);
        const id = newOperationId(clock.nowMs());
        await background().insert({ id, action: change, actor }, clock.nowMs());
        await invokeAgain({ backgroundId: id, actor, work: outcome.work });
        request.response = json(202, { background: { id } });
      } else {
        const { kind: _, ...body } = outcome;
        request.response = json(200, body);
      }
      logger.info('operator request', { change, status: request.response.statusCode });
    },
    async onError(request) {
      const { error } = request;
      const message = operatorMessage(error);
      const statusCode = statusOf(error, message);
      const line = { change, status: statusCode, ...(message === undefined && errorFields(error)) };
      if (message === undefined) logger.error('operator request', line);
      else logger.info('operator request', line);
      request.response = json(statusCode, {
        error: { message: message ?? faultMessage(error, request.context.awsRequestId) },
      });
    },
  };
}

/** The errors of a request that is not one, so that repeating it cannot help. */
const MALFORMED: readonly ErrorCode[] = ['INVALID_SCHEMA', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'];

function statusOf(error: unknown, message: string | undefined): number {
  if (error instanceof ServiceError && MALFORMED.includes(error.code))
    return CATALOGUE[error.code as ErrorCode].status;
  return message === undefined ? CATALOGUE.SERVER_ERROR.status : NOT_POSSIBLE;
}

function contextOf(
  name: ActionName,
  actor: string,
  commandId: string,
  { deployment, clock, console }: OperatorDependencies,
  path: ActionContext['path'] = {},
): ActionContext {
  const run = { actor, action: name, commandId };
  const trail = auditTable(deployment.client, deployment.tables.auditTrail);
  return { actor, run, path, deployment, clock, console, recorder: auditRecorder(trail, run, clock.nowMs) };
}
