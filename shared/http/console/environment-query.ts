import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { readQuery } from '../query.ts';
import type { InputSchema } from './middleware/json-body.ts';

export const environment = v.optional(v.picklist(ENVIRONMENTS), 'live');

export const environmentQuery = v.strictObject({ env: environment });

/** Before the chain has checked it, for reads that run while the session is checked. */
export function prefetchedQuery<S extends InputSchema>(
  event: APIGatewayProxyEvent,
  schema: S,
): v.InferOutput<S> {
  return readQuery(event, schema) as v.InferOutput<S>;
}
