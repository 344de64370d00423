import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { caller } from '../../../../shared/accounts/middleware/caller.ts';
import { keyAddress } from '../../../../shared/accounts/middleware/key-address.ts';
import { organisation } from '../../../../shared/accounts/middleware/organisation.ts';
import { ApiContext, type Middleware } from '../../../../shared/http/context.ts';
import { httpsOnly } from '../../../../shared/http/middleware/https-only.ts';
import { jsonBody } from '../../../../shared/verifications/middleware/json-body.ts';
import { subscription } from '../../../../shared/verifications/middleware/subscription.ts';
import { dedicatedBody } from '../../../../shared/verifications/requests.ts';
import { countingDependencies, caller as newCaller } from '../../../security/in-process.ts';

/** The chain without tables, registry or log: the work of Middy, our checks and the schema of the body. */

const { account } = newCaller();

/** Replaces `respond` and `api-key`, which read tables and write logs. */
function known(): Middleware {
  return {
    name: 'known',
    async before({ context }) {
      const { key, organisation: own } = account;
      if (!key || !own) throw new Error('The caller has no account.');
      context.requestContext = new ApiContext({
        requestId: 'req_0123456789ab',
        operationId: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
        requestedAtMs: Date.now(),
        errorStyle: 'dedicated',
        idType: 'NIN',
        headers: {},
      });
      caller.set(context.requestContext, {
        env: 'live',
        key,
        organisation: own,
        limits: { key: {}, organisation: {} },
      });
    },
  };
}

export type Route = (event: APIGatewayProxyEvent, context: object) => Promise<{ body: string }>;

/** Returns a route that responds to every valid request with the body that `render` makes. */
export function route(render: () => string): Route {
  const middlewares = [
    known(),
    httpsOnly(),
    keyAddress(countingDependencies([])),
    organisation(),
    jsonBody(dedicatedBody('nin-basic')),
    subscription(),
  ];
  const engine = middy();
  for (const middleware of middlewares) engine.use(middleware as middy.MiddlewareObj);
  engine.handler(async () => ({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: render(),
  }));
  return engine as unknown as Route;
}
