import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { withdrawSlipBody } from '../../shared/slips/console/bodies.ts';
import { withdrawSlipOfRequest } from '../../shared/slips/console/withdraw-slip.ts';
import { withdrawalDependencies } from '../../shared/slips/withdraw-slip.ts';

/** POST /console/api/requests/{request_id}/withdraw: withdraws the slip that a request made. */
export const handler = consoleRoute('withdraw-slip', withdrawSlipOfRequest(withdrawalDependencies()), {
  body: withdrawSlipBody,
});
