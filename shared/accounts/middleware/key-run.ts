import type { APIGatewayProxyEvent } from 'aws-lambda';
import { KEY_ACTOR } from '../../audit/audit-entry.ts';
import type { CommandRun } from '../../audit/recorder.ts';
import { newOperationId } from '../../core/ids.ts';
import type { RequestContext } from '../../http/context.ts';
import { SHORT_HASH } from '../api-key-table.ts';
import { caller } from './caller.ts';

/** A request with an API key, as the audit trail states it. */
export function keyRun(
  requestContext: RequestContext,
  event: APIGatewayProxyEvent,
  action: string,
  nowMs: number,
): CommandRun {
  return {
    actor: `${KEY_ACTOR}${caller.of(requestContext).key.hash.slice(0, SHORT_HASH)}`,
    action,
    commandId: newOperationId(nowMs),
    requestId: requestContext.requestId,
    address: event.requestContext.identity.sourceIp,
  };
}
