import type { APIGatewayProxyEvent } from 'aws-lambda';
import { apiFormat } from './api-format.ts';
import { chain, type LambdaHandler } from './chain.ts';
import type { ApiContext } from './context.ts';
import { httpsOnly } from './middleware/https-only.ts';
import type { Result } from './result.ts';

export type Run = (requestContext: ApiContext, event: APIGatewayProxyEvent) => Promise<Result>;

/** Needs no key. */
export function publicRoute(name: string, run: Run): LambdaHandler {
  return chain(apiFormat({ name }, { isKeyed: false }), [httpsOnly()], run);
}
