import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { replayBody, replayDeliveries, sendDependencies } from '../../shared/webhooks/console/deliveries.ts';

/** POST /console/api/webhooks/{id}/replay: sends the deliveries of a period again. */
export const handler = consoleRoute('replay-deliveries', replayDeliveries(sendDependencies()), {
  body: replayBody,
});
