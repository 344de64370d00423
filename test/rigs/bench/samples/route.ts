import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Middleware, RequestContext } from '../../../../shared/http/context.ts';
import { httpsOnly } from '../../../../shared/http/middleware/https-only.ts';
import { jsonBody } from '../../../../shared/http/middleware/json-body.ts';
import { keyAddress } from '../../../../shared/http/middleware/key-address.ts';
import { organisation } from '../../../../shared/http/middleware/organisation.ts';
import { subscription } from '../../../../shared/http/middleware/subscription.ts';
import { dedicatedBody } from '../../../../shared/verifications/requests.ts';
import { caller } from '../../../security/in-process.ts';

/** The chain's own work, without tables, registry and log: what Middy, our checks and the body's schema take. */

const { account } = caller();

/** Stands for `answer` and `api-key`, which read tables and write logs. */
function known(): Middleware {
  return {
    before: async function knownBefore({ context }) {
      const { key, organisation: own } = account;
      if (!key || !own) throw new Error('The caller has no account.');
      const requestContext: RequestContext = {
        requestId: 'req_0123456789ab',
        operationId: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
        requestedAtMs: Date.now(),
        errorStyle: 'dedicated',
        idType: 'NIN',
        headers: {},
        creditsCharged: 0,
        provider: '',
        caller: { env: 'live', key, organisation: own, notFoundTatMs: 0, registryStates: new Map() },
      };
      context.requestContext = requestContext;
    },
  };
}

export type Route = (event: APIGatewayProxyEvent, context: object) => Promise<{ body: string }>;

/** A route that answers every good request with what `answer` makes. */
export function route(answer: () => string): Route {
  const middlewares = [
    known(),
    httpsOnly(),
    keyAddress(),
    organisation(),
    jsonBody(dedicatedBody('nin-basic'), false),
    subscription(),
  ];
  const engine = middy();
  for (const middleware of middlewares) engine.use(middleware as middy.MiddlewareObj);
  engine.handler(async () => ({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: answer(),
  }));
  return engine as unknown as Route;
}
