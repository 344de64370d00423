import { ID_TYPES } from '../../core/id-types.ts';
import type { ApiContext, Middleware } from '../../http/context.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { readJson } from '../../http/read-json.ts';
import type { BodyReader } from '../requests.ts';
import { simulateError } from './simulated-error.ts';
import { command } from './values.ts';

/** Requires a small, strict JSON object with the documented fields and no query, and sets the command. */
export function jsonBody(reader: BodyReader): Middleware {
  return {
    name: 'jsonBody',
    async before({ event, context: { requestContext } }) {
      const json = readJson(event);
      echoType(requestContext, json);
      try {
        readQuery(event, noQuery, reader.schema);
        command.set(requestContext, reader.read(json));
      } catch (error) {
        requestContext.line.detail = 'format';
        throw error;
      }
      const { idType, service } = command.of(requestContext);
      requestContext.idType = idType;
      requestContext.line.service = service;
      simulateError(requestContext, 'RATE_LIMITED');
    },
  };
}

/** The gateway echoes the requested type once the body is parsed, even if the body is then rejected (contract C2). */
function echoType(requestContext: ApiContext, json: unknown): void {
  if (requestContext.errorStyle !== 'gateway' || typeof json !== 'object' || json === null) return;
  const requested = Reflect.get(json, 'id_type');
  requestContext.idType = ID_TYPES.find((idType) => idType === requested) ?? '';
}
