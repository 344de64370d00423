import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Row } from '../../core/database.ts';
import type { RowKey } from '../../core/keys.ts';
import { type ApiContext, headerValues, type Middleware } from '../../http/context.ts';
import type { OtherRows } from '../account-table.ts';
import { type ApiKey, type ApiKeyText, isUsable, readApiKeyText } from '../api-key.ts';
import { caller } from './caller.ts';
import type { CallerDependencies } from './dependencies.ts';
import { type KeyProblem, rejectKey } from './reject-key.ts';

/** Rows that a route needs as well, so that they are read together with the key. */
export interface RowsBesideKey extends OtherRows {
  /** Receives the rows that were found, and the keys of the spare ones that were not read. */
  complete(rows: readonly Row[], leftOut: readonly RowKey[]): void;
}
export type BesideKey = (key: ApiKeyText, requestContext: ApiContext) => RowsBesideKey;

const NOTHING: RowsBesideKey = { required: [], spare: [], complete: () => undefined };

/**
 * Requires a valid API key. One consistent read returns the key, its organisation, the limits of both, and what else the
 * route needs (contract B1, B4, B5).
 */
export function apiKey(deps: CallerDependencies, besideKey: BesideKey = () => NOTHING): Middleware {
  const { accounts, clock } = deps;
  return {
    name: 'apiKey',
    async before({ event, context: { requestContext } }) {
      if (hasKeyInQuery(event)) throw await rejectKey(requestContext, 'key-in-query', undefined, deps);
      const parsed = keyOf(event);
      if (typeof parsed === 'string') throw await rejectKey(requestContext, parsed, undefined, deps);
      const others = besideKey(parsed, requestContext);
      const { key, organisation, limits, otherRows, leftOut } = await accounts.readAccount(parsed, others);
      if (!key || !organisation || !isUsable(key, clock.nowMs())) {
        const named = organisation && { wallet: parsed, limits };
        throw await rejectKey(requestContext, problemOf(key), named, deps);
      }
      others.complete(otherRows, leftOut);
      const { env, label } = key;
      caller.set(requestContext, { env, key, organisation, limits });
      Object.assign(requestContext.line, { organisation: organisation.id, env, keyLabel: label });
    },
  };
}

function problemOf(key: ApiKey | undefined): KeyProblem {
  if (!key) return 'unknown-key';
  return key.status === 'REVOKED' ? 'revoked-key' : 'expired-key';
}

const BEARER = /^(?:Bearer +)?([0-9A-Za-z_]+)$/i;
const KEY_SHAPE = /idv_(?:live|test)_/;

/** Returns the key in the Authorization header. A different scheme, or a second header, is malformed. */
function keyOf(event: APIGatewayProxyEvent): ApiKeyText | 'missing-key' | 'malformed-key' {
  const [value = '', ...others] = headerValues(event, 'authorization');
  if (others.length > 0) return 'malformed-key';
  if (/^(?:Bearer)? *$/i.test(value)) return 'missing-key';
  return readApiKeyText(BEARER.exec(value)?.[1] ?? '') ?? 'malformed-key';
}

/** Whether a key is in the URL. URLs remain in browser histories and logs, so the request is rejected. */
function hasKeyInQuery(event: APIGatewayProxyEvent): boolean {
  return KEY_SHAPE.test(JSON.stringify(event.multiValueQueryStringParameters ?? {}));
}
