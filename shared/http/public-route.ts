import type { APIGatewayProxyEvent } from 'aws-lambda';
import { apiFormat } from './api-format.ts';
import { chain, type LambdaHandler } from './chain.ts';
import type { ApiContext } from './context.ts';
import { httpsOnly } from './middleware/https-only.ts';
import type { Result } from './result.ts';

/** The work of a route, once every check has passed. */
export type Run = (requestContext: ApiContext, event: APIGatewayProxyEvent) => Promise<Result>;

/** Returns the handler of a route of the API that needs no key. */
export function publicRoute(name: string, run: Run): LambdaHandler {
  return chain(apiFormat({ name }, { isKeyed: false }), [httpsOnly()], run);
}
