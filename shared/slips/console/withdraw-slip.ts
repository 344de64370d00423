import { ServiceError } from '../../core/errors.ts';
import { REQUEST_ID } from '../../core/request-id.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { requireEnvironmentRole } from '../../members/role.ts';
import { type WithdrawalDependencies, withdrawSlip } from '../withdraw-slip.ts';
import type { withdrawSlipBody } from './bodies.ts';

/** POST /requests/{request_id}/withdraw: withdraws the slip that a request made. */
export function withdrawSlipOfRequest(
  deps: WithdrawalDependencies,
): ConsoleRun<ConsoleRequest, typeof withdrawSlipBody, undefined> {
  return async ({ event, organisation, membership, recorder }, { env }) => {
    requireEnvironmentRole(membership.role, env);
    const organisationId = organisation.id;
    const requestId = event.pathParameters?.['request_id'] ?? '';
    const isId = REQUEST_ID.test(requestId);
    const change = { organisationId, target: `${env} slip ${requestId}`, after: { isWithdrawn: true } };
    if (!isId || !(await withdrawSlip({ env, organisationId }, requestId, deps, recorder.record(change))))
      throw new ServiceError('RESOURCE_NOT_FOUND', {
        message: 'No slip was made with this request ID in this environment, or it has expired.',
      });
    return { data: { request_id: requestId } };
  };
}
