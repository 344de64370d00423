import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { testRequestBody } from '../../shared/verifications/console/bodies.ts';
import {
  playgroundDependencies,
  readTestTraffic,
  sendTestRequest,
} from '../../shared/verifications/console/playground.ts';

export const handler = consoleRoute('send-test-request', sendTestRequest(playgroundDependencies()), {
  body: testRequestBody,
  prefetch: readTestTraffic(),
});
