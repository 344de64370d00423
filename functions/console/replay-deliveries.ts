import { consoleRoute } from '../../shared/http/console/chain.ts';
import {
  replayBody,
  replayDeliveries,
  sendDependencies,
} from '../../shared/http/console/routes/deliveries.ts';

/** POST /console/api/webhooks/{id}/replay: sends the deliveries of a period again. */
export const handler = consoleRoute('replay-deliveries', replayDeliveries(sendDependencies()), {
  body: replayBody,
});
