import * as v from 'valibot';
import { noQuery, readQuery } from '../../query.ts';
import { readJson } from '../../read-json.ts';
import { parseConsoleBody } from '../body-error.ts';
import type { ConsoleMiddleware } from '../context.ts';

export type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** An input without fields. */
export type NoInput = v.StrictObjectSchema<Record<never, never>, undefined>;

const emptyBody: NoInput = v.strictObject({});

/** Without a schema, it must be empty. */
export interface InputOptions<S extends InputSchema> {
  readonly body?: S;
  readonly query?: S;
}

/** A documented query string, or a small, strict JSON object without one. */
export function jsonBody({ body, query }: InputOptions<InputSchema>): ConsoleMiddleware {
  return {
    name: 'jsonBody',
    async before({ event, context: { requestContext } }) {
      const isRead = requestContext.route.method === 'GET';
      const parameters = readQuery(event, (isRead && query) || noQuery, body);
      requestContext.input = isRead ? parameters : parseConsoleBody(body ?? emptyBody, readJson(event));
    },
  };
}
