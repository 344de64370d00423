import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { readQuery } from '../query.ts';
import type { InputSchema } from './middleware/json-body.ts';

/** The environment that a page shows, as a query parameter. */
export const environment = v.optional(v.picklist(ENVIRONMENTS), 'live');

/** The query string of a route whose only parameter is the environment. */
export const environmentQuery = v.strictObject({ env: environment });

/** Reads a query string before the chain has checked it, for reads that run while the session is checked. */
export function prefetchedQuery<S extends InputSchema>(
  event: APIGatewayProxyEvent,
  schema: S,
): v.InferOutput<S> {
  return readQuery(event, schema) as v.InferOutput<S>;
}
