import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { replayBody } from '../../shared/webhooks/console/bodies.ts';
import { replayDeliveries, sendDependencies } from '../../shared/webhooks/console/deliveries.ts';

export const handler = consoleRoute('replay-deliveries', replayDeliveries(sendDependencies()), {
  body: replayBody,
});
